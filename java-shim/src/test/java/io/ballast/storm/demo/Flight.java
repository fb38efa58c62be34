package io.ballast.storm.demo;

import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * A flight that arrived.
 *
 * @param carrier two-character code of the airline
 * @param tail registration of the plane
 * @param origin airport it left
 * @param dest airport it reached
 * @param delay minutes between the planned and the real arrival, negative when early
 */
public record Flight(String carrier, String tail, String origin, String dest, int delay) {
  /** Fields of a tuple that is a flight. */
  public static Fields fields() {
    return new Fields("carrier", "tail", "origin", "dest", "delay");
  }

  /** Its values, in the order of the fields. */
  public Values values() {
    return new Values(carrier, tail, origin, dest, delay);
  }
}
