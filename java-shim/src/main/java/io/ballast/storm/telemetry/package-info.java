/**
 * Nimbus's end of the telemetry hook: what workers measure about themselves comes in here and is
 * kept for whoever weighs executors.
 *
 * <pre>
 *  worker (io.ballast.hook)                 leader of Nimbus
 *  TelemetryHook ─ Reporter ─ HTTP POST ──▶ Receiver ──▶ Reception ──▶ ReportReader ──▶ Measurements
 *            ▲                                           Tickets, Drops                    │
 *            └── grant in Storm's state ◀── KeyKeeper (a secret for each topology)         ▼
 *                                                                              Telemetry, read by LoadFeed
 * </pre>
 *
 * Invariants:
 *
 * <ul>
 *   <li>Nothing here is thrown into Nimbus, and nothing here holds Nimbus's scheduling lock longer
 *       than it takes to hand over the list of topologies.
 *   <li>A report is believed only if it is signed with its own topology's secret and was never
 *       seen; it can tell of nothing but its own topology.
 *   <li>Everything kept is bounded by the topologies that Nimbus schedules.
 *   <li>No clock but this process's monotonic one decides how old a figure is.
 * </ul>
 *
 * The hook is a jar of its own and shares no class with this package: what joins them is the format
 * of reports ({@code io/ballast/hook/README.md}), and a test that writes with the one and reads
 * with the other.
 */
package io.ballast.storm.telemetry;
