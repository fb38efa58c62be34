package io.ballast.storm.demo;

import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;

/**
 * Submits the flights topology to a cluster: {@code scripts/storm-cluster submit flights [NAME
 * [FLIGHTS-PER-SECOND]]}. What a flight costs is sized for the machine that submits it.
 */
public final class SubmitFlights {
  private static final int MESSAGE_TIMEOUT_SECS = 30;

  private SubmitFlights() {}

  /** Arguments: the topology's name, the rate; {@code flights} and the demo's where none is. */
  public static void main(String[] arguments) throws Exception {
    String name = arguments.length > 0 ? arguments[0] : FlightsTopology.NAME;
    int flightsPerSec =
        arguments.length > 1 ? Integer.parseInt(arguments[1]) : Sizing.FLIGHTS_PER_SEC;
    Config conf = FlightsTopology.conf(MESSAGE_TIMEOUT_SECS);
    StormSubmitter.submitTopology(
        name, conf, FlightsTopology.build(Sizing.forThisMachine(flightsPerSec)));
  }
}
