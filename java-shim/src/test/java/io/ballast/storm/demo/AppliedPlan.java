package io.ballast.storm.demo;

import java.util.List;

/**
 * A plan that the scheduler says it applied.
 *
 * @param id of the plan
 * @param generation of the snapshot it was made from
 * @param restarts workers that it said it would restart
 * @param predicted load distance it said it would reach
 * @param moves what moved and why, one line each
 */
record AppliedPlan(
    String id, long generation, int restarts, double predicted, List<String> moves) {}
