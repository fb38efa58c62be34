/**
 * The Java half of {@code scripts/bench-cluster}: a topology whose load is offered on a clock, the
 * programs that raise that load and read what came of it, and the tables.
 */
package io.ballast.storm.bench.cluster;
