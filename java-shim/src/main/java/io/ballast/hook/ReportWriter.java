package io.ballast.hook;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Writes an interval as a report, version 1; README.md beside this file is its specification. */
final class ReportWriter {
  /** What every report begins with; the last byte is the version. */
  static final byte[] MAGIC = {'B', 'T', 'R', 1};

  private static final int NAME_BYTES_MAX = 256;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream(4096);

  private ReportWriter() {}

  /**
   * @param host where the worker runs, as Storm names it
   * @param port the worker's port
   * @param components names of the components that executors and sums mean by number
   */
  static byte[] write(Interval interval, String host, int port, List<String> components) {
    ReportWriter writer = new ReportWriter();
    writer.out.writeBytes(MAGIC);
    writer.number(interval.nanos());
    writer.number(interval.uptimeMillis());
    writer.text(host);
    writer.number(port);
    writer.maybe(interval.cpuNanos());
    writer.maybe(interval.gcMillis());
    writer.maybe(interval.serializationNanos());
    writer.node(interval.node());
    writer.number(interval.faults().length);
    for (long count : interval.faults()) {
      writer.number(count);
    }
    writer.number(components.size());
    components.forEach(writer::text);
    writer.number(interval.executors().size());
    interval.executors().forEach(writer::executor);
    return writer.out.toByteArray();
  }

  private void node(Interval.Node node) {
    out.write(node.kind().ordinal());
    if (node.kind() != NodeCpu.Kind.NONE) {
      number(node.cpuNanos());
      number(Math.round(node.cores() * 1000));
    }
  }

  private void executor(Interval.Executor executor) {
    number(executor.first());
    number(executor.last() - executor.first());
    number(executor.component());
    maybe(executor.cpuNanos());
    maybe(executor.waitMicros());
    number(executor.tasks().size());
    for (Interval.Task task : executor.tasks()) {
      number(task.task() - executor.first());
      number(task.received());
      number(task.emitted());
      number(task.sent());
      out.write(task.sized() ? 1 : 0);
      traffic(task);
    }
  }

  private void traffic(Interval.Task task) {
    List<PairCounter.Pair> pairs = new ArrayList<>(task.traffic().pairs());
    pairs.sort(Comparator.comparingInt(PairCounter.Pair::target));
    number(pairs.size());
    int before = 0;
    for (PairCounter.Pair pair : pairs) {
      number(pair.target() - before);
      before = pair.target();
      number(pair.tuples());
      bytes(task, pair.bytes());
    }
    number(task.traffic().rest().size());
    for (PairCounter.Rest rest : task.traffic().rest()) {
      number(rest.component());
      number(rest.tuples());
      bytes(task, rest.bytes());
    }
  }

  private void bytes(Interval.Task task, long fractions) {
    if (task.sized()) {
      number(fractions / StreamSizes.FRACTION);
    }
  }

  /** What is not measured is 0, everything else one more than it is. */
  private void maybe(long value) {
    number(value < 0 ? 0 : value + 1);
  }

  /** Seven bits a byte, lowest first, the high bit says that more follow (LEB128). */
  private void number(long value) {
    long left = Math.max(0, value);
    while (left > 0x7F) {
      out.write((int) (left & 0x7F | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = bytes.length;
    while (length > NAME_BYTES_MAX || length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
      length--;
    }
    number(length);
    out.write(bytes, 0, length);
  }
}
