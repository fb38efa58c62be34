package io.ballast.storm.demo;

import java.util.Map;
import org.apache.storm.thrift.TException;

/** A Storm that runs the flights topology, and what may be asked of it. */
interface FlightsCluster {
  String topologyId();

  /** Assignment and statistics of the topology. */
  Reading read() throws TException;

  /** Capacity in cores of each supervisor, by its id. */
  Map<String, Double> capacityCores() throws TException;

  /** What the scheduler says of the topology, empty if it says nothing. */
  String schedulerStatus() throws TException;
}
