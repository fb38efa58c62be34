package io.ballast.storm.telemetry;

/**
 * What the hook measured of an executor: means over the last reports of its tasks ({@link
 * Decayed}), whichever executors these tasks belonged to and wherever they ran.
 *
 * @param cores CPU time of its thread a second; NaN: not measured
 * @param receivedPerSec tuples executed a second, ticks left out; of a spout, tuples acked
 * @param emittedPerSec emits a second
 * @param sentPerSec tuples a second that these emits became, all streams, those to ackers too
 * @param waitMs how long tuples wait in its queue, by Storm's own gauge; NaN: not measured
 * @param uptimeSecs since the hook began in its present worker
 * @param ageSecs since the oldest of the newest reports of its tasks came in, by Nimbus's clock
 * @param coveredSecs time the load was measured over, older time weighing less; 0: never
 * @param usual what its tasks use in warm workers; null: not known yet
 * @param host where it runs, as its worker names it
 * @param port the worker's port
 */
public record ExecutorFigures(
    double cores,
    double receivedPerSec,
    double emittedPerSec,
    double sentPerSec,
    double waitMs,
    double uptimeSecs,
    double ageSecs,
    double coveredSecs,
    Usual usual,
    String host,
    int port) {}
