package io.ballast.storm.demo;

import java.util.List;
import java.util.Optional;

/**
 * What the demo knows at one moment.
 *
 * @param secs since it began
 * @param doing what it is waiting for
 * @param before load as Storm's own scheduler placed it
 * @param now load since the last restart
 * @param plans what Ballast applied, oldest first
 * @param restarts workers that Storm really restarted
 */
record View(
    double secs,
    String doing,
    Optional<Measured> before,
    Optional<Measured> now,
    List<AppliedPlan> plans,
    int restarts) {}
