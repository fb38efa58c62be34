package io.ballast.storm.demo;

/**
 * A flight that arrived.
 *
 * @param carrier two-character code of the airline
 * @param tail registration of the plane
 * @param origin airport it left
 * @param dest airport it reached
 * @param delay minutes between the planned and the real arrival, negative when early
 */
public record Flight(String carrier, String tail, String origin, String dest, int delay) {}
