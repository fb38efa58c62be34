package io.ballast.storm.telemetry;

/**
 * What an executor's tasks use in warm workers ({@link TaskHistory}), together.
 *
 * @param cores mean of the last minutes
 * @param swingCores standard deviation of the load that plans are told, as if tasks did not swing
 *     together
 * @param holds it may stand for the present load of tasks in a worker that warms up; false where
 *     one of them has changed since, or no worker is taken to warm up
 */
public record Usual(double cores, double swingCores, boolean holds) {}
