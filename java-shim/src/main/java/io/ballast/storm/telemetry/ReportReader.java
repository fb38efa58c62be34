package io.ballast.storm.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a report of version 1 ({@code io/ballast/hook/README.md}). Whatever the bytes are, it
 * answers with a report whose every number is in range or throws {@link Garbage}, in time and
 * memory proportional to the bytes there are: no count is believed before its entries are read.
 */
final class ReportReader {
  /** What every report begins with; the last byte is the version. */
  static final byte[] MAGIC = {'B', 'T', 'R', 1};

  static final int NAME_BYTES_MAX = 256;
  static final int FAULTS_MAX = 64;
  static final int COMPONENTS_MAX = 8192;
  static final int TASK_MAX = 1_000_000;

  /** Executors, and tasks, of one worker. */
  static final int EXECUTORS_MAX = 65_536;

  static final int PAIRS_OF_TASK_MAX = 1024;
  static final int PAIRS_MAX = 262_144;

  /** Longest interval that is believed, an hour. */
  static final long NANOS_MAX = 3_600_000_000_000L;

  /** Largest count or time: sums of many of them do not overflow. */
  static final long VALUE_MAX = 1L << 50;

  /** Bytes that are no report of version 1. */
  static final class Garbage extends Exception {
    private static final long serialVersionUID = 1L;

    Garbage(String message) {
      super(message, null, false, false);
    }
  }

  private final byte[] bytes;
  private int at;
  private int pairs;
  private int tasks;

  private ReportReader(byte[] bytes) {
    this.bytes = bytes;
  }

  static Report read(byte[] bytes) throws Garbage {
    ReportReader reader = new ReportReader(bytes);
    Report report = reader.report();
    if (reader.at != bytes.length) {
      throw new Garbage((bytes.length - reader.at) + " bytes after the end of the report");
    }
    return report;
  }

  private Report report() throws Garbage {
    for (byte expected : MAGIC) {
      if (octet() != expected) {
        throw new Garbage("it does not begin as a report of version 1 does");
      }
    }
    long nanos = number("interval", NANOS_MAX);
    if (nanos < 1) {
      throw new Garbage("an interval of no length");
    }
    long uptime = number("uptime", VALUE_MAX);
    String host = text();
    int port = (int) number("port", 65_535);
    long cpu = maybe("worker CPU");
    long gc = maybe("garbage collection");
    long serialization = maybe("serialization");
    Report.Node node = node();
    List<Long> faults = new ArrayList<>();
    for (long left = number("faults", FAULTS_MAX); left > 0; left--) {
      faults.add(number("fault", VALUE_MAX));
    }
    List<String> components = new ArrayList<>();
    for (long left = number("components", COMPONENTS_MAX); left > 0; left--) {
      components.add(text());
    }
    List<Report.Executor> executors = new ArrayList<>();
    int beyond = -1;
    for (long left = number("executors", EXECUTORS_MAX); left > 0; left--) {
      Report.Executor executor = executor(components.size(), beyond);
      beyond = Math.max(beyond, executor.last());
      executors.add(executor);
    }
    return new Report(
        nanos, uptime, host, port, cpu, gc, serialization, node, faults, components, executors);
  }

  private Report.Node node() throws Garbage {
    int kind = octet();
    if (kind < 0 || kind > 2) {
      throw new Garbage("a node of kind " + kind);
    }
    return kind == 0
        ? new Report.Node(0, 0, 0)
        : new Report.Node(
            kind, number("node CPU", VALUE_MAX), number("cores", 1_000_000_000) / 1000.0);
  }

  private Report.Executor executor(int components, int beyond) throws Garbage {
    int first = (int) number("first task", TASK_MAX);
    int last = first + (int) number("tasks", TASK_MAX);
    if (first <= beyond || last > TASK_MAX) {
      throw new Garbage("executors out of order, or a task above " + TASK_MAX);
    }
    int component = component(components);
    long cpu = maybe("executor CPU");
    long wait = maybe("wait");
    List<Report.Task> tasks = new ArrayList<>();
    int before = first - 1;
    for (long left = number("tasks", last - first + 1L); left > 0; left--) {
      Report.Task task = task(first, components);
      if (task.task() <= before || task.task() > last) {
        throw new Garbage("task " + task.task() + " is out of order or not its executor's");
      }
      before = task.task();
      tasks.add(task);
    }
    return new Report.Executor(first, last, component, cpu, wait, tasks);
  }

  private Report.Task task(int first, int components) throws Garbage {
    if (++tasks > EXECUTORS_MAX) {
      throw new Garbage("more than " + EXECUTORS_MAX + " tasks");
    }
    int task = first + (int) number("task", TASK_MAX);
    long received = number("received", VALUE_MAX);
    long emitted = number("emitted", VALUE_MAX);
    long sent = number("sent", VALUE_MAX);
    int sized = octet();
    if (sized != 0 && sized != 1) {
      throw new Garbage("a switch that is " + sized);
    }
    long count = number("pairs", PAIRS_OF_TASK_MAX);
    pairs += (int) count;
    if (pairs > PAIRS_MAX) {
      throw new Garbage("more than " + PAIRS_MAX + " pairs");
    }
    List<Report.Pair> to = new ArrayList<>();
    int target = 0;
    for (long left = count; left > 0; left--) {
      int step = (int) number("target", TASK_MAX);
      if (step == 0 && !to.isEmpty()) {
        throw new Garbage("a target twice");
      }
      target += step;
      if (target > TASK_MAX) {
        throw new Garbage("a target above " + TASK_MAX);
      }
      to.add(new Report.Pair(target, number("tuples", VALUE_MAX), bytes(sized)));
    }
    List<Report.Rest> rest = new ArrayList<>();
    for (long left = number("sums", components); left > 0; left--) {
      rest.add(new Report.Rest(component(components), number("tuples", VALUE_MAX), bytes(sized)));
    }
    return new Report.Task(task, received, emitted, sent, sized == 1, to, rest);
  }

  private long bytes(int sized) throws Garbage {
    return sized == 1 ? number("bytes", VALUE_MAX) : 0;
  }

  private int component(int components) throws Garbage {
    int component = (int) number("component", COMPONENTS_MAX);
    if (component >= components) {
      throw new Garbage("component " + component + " of " + components);
    }
    return component;
  }

  private int octet() throws Garbage {
    if (at >= bytes.length) {
      throw new Garbage("it ends in the middle");
    }
    return bytes[at++];
  }

  private long maybe(String what) throws Garbage {
    return number(what, VALUE_MAX) - 1;
  }

  private long number(String what, long most) throws Garbage {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int octet = octet();
      value |= (long) (octet & 0x7F) << shift;
      if (octet >= 0) {
        if (value > most) {
          throw new Garbage(what + " is " + value + ", more than " + most);
        }
        return value;
      }
    }
    throw new Garbage(what + " is a number without end");
  }

  private String text() throws Garbage {
    int length = (int) number("length of a name", NAME_BYTES_MAX);
    if (length > bytes.length - at) {
      throw new Garbage("it ends in the middle of a name");
    }
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }
}
