package io.ballast.storm;

import io.ballast.storm.telemetry.WorkerFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * What a tuple costs in CPU because it leaves its worker, learned from the hook: its serialization,
 * which the hook samples on the sender's thread, and twice (once where it leaves and once where it
 * comes in) how much more a worker's overhead is for each tuple more that crosses its border. That
 * slope is a median over pairs of workers of one topology (Theil and Sen's estimator, over the
 * pairs of the busier half with the other), so that no single worker decides it.
 *
 * <p>An upper estimate: what else grows with the tuples of a worker, such as garbage collection, is
 * in its overhead too.
 */
final class RemoteCost {
  /** Workers of one topology from which a slope is more than an accident. */
  private static final int WORKERS_MIN = 4;

  /** Tuples a second that two workers must differ by: less is noise. */
  private static final double DIFFERENCE_MIN = 100.0;

  /** Planning rounds that the learned cost is the mean of, about. */
  private static final int REMEMBERED = 20;

  /** A change worth telling, as a part of what was told. */
  private static final double NEWS = 0.25;

  private double micros = Double.NaN;
  private int rounds;
  private double told = Double.NaN;

  /**
   * One worker.
   *
   * @param crossing tuples a second that leave it or come in
   * @param overheadCores CPU of its process that no executor used
   */
  record Sample(double crossing, double overheadCores) {}

  /**
   * Looks at one planning round.
   *
   * @param warmSecs uptime below which a worker still compiles
   * @return what to tell the operator, where the cost is new or has changed
   */
  synchronized Optional<String> learn(ClusterSnapshot snapshot, HookLoads hook, double warmSecs) {
    List<Double> slopes = new ArrayList<>();
    List<Double> serialization = new ArrayList<>();
    for (ClusterSnapshot.Topology topology : snapshot.topologies()) {
      List<HookLoads.WorkerCpu> workers =
          hook.workers(topology.id(), topology.placement()).stream()
              .filter(worker -> worker.uptimeSecs() >= warmSecs)
              .toList();
      if (workers.size() >= WORKERS_MIN) {
        workers.stream()
            .map(HookLoads.WorkerCpu::figures)
            .map(WorkerFigures::serializationMicros)
            .filter(each -> !each.isNaN())
            .forEach(serialization::add);
        slopes.addAll(slopes(samples(topology, workers, hook)));
      }
    }
    OptionalDouble slope = median(slopes);
    OptionalDouble own = median(serialization);
    if (slope.isEmpty() || own.isEmpty()) {
      return Optional.empty();
    }
    double seen = own.getAsDouble() + 2 * Math.max(0.0, slope.getAsDouble());
    rounds = Math.min(rounds + 1, REMEMBERED);
    micros = rounds == 1 ? seen : micros + (seen - micros) / rounds;
    if (Math.abs(micros - told) <= NEWS * told) {
      return Optional.empty();
    }
    told = micros;
    return Optional.of(
        String.format(
            Locale.ROOT,
            "a tuple that leaves its worker costs %.1f us of CPU, %.1f of it serialization",
            micros,
            own.getAsDouble()));
  }

  /** Microseconds of CPU a tuple; empty before enough was seen. */
  synchronized OptionalDouble micros() {
    return Double.isNaN(micros) ? OptionalDouble.empty() : OptionalDouble.of(micros);
  }

  private static List<Sample> samples(
      ClusterSnapshot.Topology topology, List<HookLoads.WorkerCpu> workers, HookLoads hook) {
    Map<ExecutorDetails, WorkerSlot> placement = topology.placement();
    Map<WorkerSlot, Double> crossing = new TreeMap<>(Comparator.comparing(WorkerSlot::getId));
    TopologyDetails details = topology.details();
    for (HookLoads.Pair pair : hook.traffic(details, List.copyOf(details.getExecutors()))) {
      WorkerSlot from = placement.get(pair.from());
      WorkerSlot to = placement.get(pair.to());
      if (from != null && to != null && !from.equals(to)) {
        crossing.merge(from, pair.tuplesPerSec(), Double::sum);
        crossing.merge(to, pair.tuplesPerSec(), Double::sum);
      }
    }
    return workers.stream()
        .filter(worker -> !Double.isNaN(worker.overheadCores()))
        .map(
            worker -> new Sample(crossing.getOrDefault(worker.slot(), 0.0), worker.overheadCores()))
        .toList();
  }

  /** Microseconds a crossing tuple, for each worker of the busier half against one of the other. */
  static List<Double> slopes(List<Sample> samples) {
    if (samples.size() < WORKERS_MIN) {
      return List.of();
    }
    List<Sample> sorted =
        samples.stream().sorted(Comparator.comparingDouble(Sample::crossing)).toList();
    int half = sorted.size() / 2;
    List<Double> slopes = new ArrayList<>();
    for (int at = 0; at + half < sorted.size(); at++) {
      Sample less = sorted.get(at);
      Sample more = sorted.get(at + half);
      double tuples = more.crossing() - less.crossing();
      if (tuples >= DIFFERENCE_MIN) {
        slopes.add((more.overheadCores() - less.overheadCores()) / tuples * 1e6);
      }
    }
    return slopes;
  }

  private static OptionalDouble median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).sorted().toArray();
    int half = sorted.length / 2;
    if (sorted.length == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
  }
}
