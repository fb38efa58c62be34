/**
 * The Java half of {@code scripts/storm-cluster}: what a shell cannot ask Storm, and what two
 * Nimbus daemons on one machine need.
 */
package io.ballast.storm.cluster;
