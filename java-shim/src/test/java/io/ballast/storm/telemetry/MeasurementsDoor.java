package io.ballast.storm.telemetry;

/** Reports without their way, for tests of what becomes of them. */
public final class MeasurementsDoor {
  private MeasurementsDoor() {}

  /** As if this report had just come in. */
  public static void add(Measurements measurements, String topology, byte[] report, long nanos) {
    try {
      measurements.add(topology, ReportReader.read(report), nanos);
    } catch (ReportReader.Garbage garbage) {
      throw new IllegalArgumentException(garbage);
    }
  }
}
