package io.ballast.storm.demo;

import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;

/**
 * Submits the flights topology to a cluster: {@code scripts/storm-cluster submit flights [NAME]}.
 * Its work is sized for the machine that submits it.
 */
public final class SubmitFlights {
  private static final int MESSAGE_TIMEOUT_SECS = 30;

  private SubmitFlights() {}

  /** Argument: the topology's name, {@code flights} if there is none. */
  public static void main(String[] arguments) throws Exception {
    String name = arguments.length > 0 ? arguments[0] : FlightsTopology.NAME;
    Config conf = FlightsTopology.conf(MESSAGE_TIMEOUT_SECS);
    StormSubmitter.submitTopology(name, conf, FlightsTopology.build(Sizing.forThisMachine()));
  }
}
