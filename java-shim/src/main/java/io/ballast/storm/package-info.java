/**
 * The Java half of Ballast, inside Nimbus.
 *
 * <pre>
 *  under Nimbus's lock                        beside it                          Rust
 *  BallastScheduler.schedule
 *    Round.serve   Topologies, Cluster
 *      RoundMemory ──▶ ClusterSnapshot ─────▶ Planner ─ RequestWriter ─▶ NativeGate ─▶ NativeBallast
 *      PlanApplier ◀── Plan ◀──────────────── Planner ◀──── Reply ◀──────────┘
 *    SafetyNet     Delegate (Storm's own)     LoadFeed ──▶ Loads (read by RequestWriter)
 *    Round.show    Journal, BallastMetrics    Recorder, Advisory (log, files)
 *                                             telemetry.Telemetry ──▶ HookLoads (asked through Loads)
 * </pre>
 *
 * Invariants:
 *
 * <ul>
 *   <li>No Throwable leaves {@link io.ballast.storm.BallastScheduler#schedule}: it would end
 *       Nimbus.
 *   <li>A running topology is changed by {@code PlanApplier} or by the delegate, by nothing else,
 *       and only after all of the change was found possible.
 *   <li>Nothing waits for the engine under Nimbus's lock without a deadline; a round with nothing
 *       to place does not ask it at all.
 *   <li>What runs in the workers ({@code io.ballast.hook}) is another jar and shares no class with
 *       this one.
 *   <li>No scheduling decision is made in Java. Java copies, checks and carries out.
 * </ul>
 */
package io.ballast.storm;
