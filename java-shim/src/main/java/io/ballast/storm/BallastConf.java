package io.ballast.storm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * The {@code ballast.*} keys of storm.yaml. All of them go to the engine, which knows every name
 * and range and answers the effective values; this class reads only the ones the shim itself acts
 * on, and reads them defensively, because some are needed exactly when there is no engine.
 *
 * <p>A key with a problem keeps its default, one line of ERROR says which and what to do, and
 * Ballast stays in mode {@code advise} until it is mended: a typing error in a budget must never be
 * read as "no budget".
 */
final class BallastConf {
  /** What all our keys in storm.yaml begin with. */
  static final String PREFIX = "ballast.";

  /** The keys the shim acts on itself, with the defaults that hold while there is no engine. */
  enum Setting {
    /** {@code advise}: plans are logged and shown. {@code apply}: they are carried out too. */
    MODE("mode", "advise"),
    /** What becomes of nodes that are not needed: {@code advise} or {@code apply}. */
    SCALE_MODE("scale.mode", "advise"),
    /** Who gives homeless executors a slot: {@code native} or {@code delegate}. */
    PLACE("place", "native"),
    /** The scheduler below Ballast: class name of an {@code IScheduler}. */
    DELEGATE("delegate.scheduler", "org.apache.storm.scheduler.DefaultScheduler"),
    /** Seconds between two planning rounds, and between two readings of the statistics. */
    PERIOD_SECS("period.secs", 60.0),
    /** Seconds for which an executor is too young for its load to count. */
    LOAD_YOUNG_SECS("load.young.secs", 60.0),
    /** Seconds for which a worker warms up; 0: none does. */
    LOAD_WARM_SECS("load.warm.secs", 300.0),
    /** Whoever stores the states keeps copies where the newest advice says. */
    CHECKPOINT_HELD("checkpoint.held", false),
    /** Folder for the newest advice on copies of states; empty: it is not stored. */
    ADVICE_DIR("advice.dir", ""),
    /** Folder for recorded requests and replies; empty: nothing is recorded. */
    RECORD_DIR("record.dir", ""),
    /** Recorded rounds kept; the oldest are deleted. */
    RECORD_FILES("record.files", 100.0),
    /** Workers that run the telemetry hook report to Nimbus. */
    TELEMETRY_ENABLED("telemetry.enabled", false),
    /** Address that Nimbus listens on for reports; empty: all. */
    TELEMETRY_HOST("telemetry.host", ""),
    /** Port that workers report to. */
    TELEMETRY_PORT("telemetry.port", 6630.0),
    /** Seconds between two reports of a worker. */
    TELEMETRY_PERIOD_SECS("telemetry.period.secs", 10.0),
    /** Hours after which a topology's secret is replaced. */
    TELEMETRY_SECRET_HOURS("telemetry.secret.hours", 24.0),
    /** The engine's library; empty: the one inside the jar. */
    NATIVE_PATH("native.path", ""),
    /** Milliseconds that {@code schedule} waits for a placement. */
    NATIVE_TIMEOUT_MS("native.timeout.ms", 5000.0),
    /** Seconds the engine is left alone after repeated failures. */
    NATIVE_RETRY_SECS("native.retry.secs", 300.0);

    final String key;
    final Object fallback;

    Setting(String key, Object fallback) {
      this.key = key;
      this.fallback = fallback;
    }
  }

  private final TreeMap<String, Object> given = new TreeMap<>();
  private final TreeMap<String, Object> effective = new TreeMap<>();
  private boolean flawed;

  private BallastConf() {}

  /** Reads Storm's configuration; entries that are not ours are left alone. */
  static BallastConf of(Map<String, Object> storm) {
    BallastConf conf = new BallastConf();
    storm.forEach(
        (key, value) -> {
          if (key != null && key.startsWith(PREFIX) && value != null) {
            conf.given.put(key.substring(PREFIX.length()), value);
          }
        });
    return conf;
  }

  /** The same keys after the engine has judged them. */
  BallastConf judgedBy(Welcome welcome) {
    BallastConf judged = new BallastConf();
    judged.given.putAll(given);
    for (Map.Entry<String, JsonNode> entry : welcome.settings().properties()) {
      JsonNode value = entry.getValue();
      if (value.isValueNode() && !value.isNull()) {
        judged.effective.put(
            entry.getKey(), value.isNumber() ? (Object) value.doubleValue() : value.asText());
      }
    }
    for (Welcome.Problem problem : welcome.problems()) {
      judged.flawed = true;
      judged.given.remove(problem.setting());
    }
    return judged;
  }

  /** What goes to the engine: the operator's own keys without prefix, flawed ones left out. */
  Map<String, Object> settings() {
    TreeMap<String, Object> settings = new TreeMap<>(given);
    if (flawed) {
      settings.put(Setting.MODE.key, "advise");
    }
    if (!applies() && settings.containsKey(Setting.SCALE_MODE.key)) {
      // Where no plan is carried out, no node drains either.
      settings.put(Setting.SCALE_MODE.key, "advise");
    }
    return settings;
  }

  /** Nodes that are not needed are drained, not only named. */
  boolean drains() {
    return applies() && text(Setting.SCALE_MODE).equals("apply");
  }

  /** Plans are carried out, not only shown. */
  boolean applies() {
    return !flawed && text(Setting.MODE).equals("apply");
  }

  /** Copies of states lie where the newest advice says. */
  boolean holdsCopies() {
    return text(Setting.CHECKPOINT_HELD).equals("true");
  }

  /** Workers may report what the hook measures. */
  boolean takesTelemetry() {
    return text(Setting.TELEMETRY_ENABLED).equals("true");
  }

  /** Homeless executors get their slots from the engine. */
  boolean placesNatively() {
    return !text(Setting.PLACE).equals("delegate");
  }

  String text(Setting setting) {
    Object value = value(setting);
    return value == null ? setting.fallback.toString() : value.toString().trim();
  }

  /** A number of the setting's own unit; what is no positive number gives the default. */
  double number(Setting setting) {
    double number = amount(setting);
    return number > 0 ? number : (Double) setting.fallback;
  }

  /** The same where 0 means something: what is negative or no number gives the default. */
  double amount(Setting setting) {
    Object value = value(setting);
    if (value instanceof String text) {
      try {
        value = Double.valueOf(text.trim());
      } catch (NumberFormatException notANumber) {
        value = null;
      }
    }
    double number = value instanceof Number n ? n.doubleValue() : Double.NaN;
    return number >= 0 && number < 1e9 ? number : (Double) setting.fallback;
  }

  private Object value(Setting setting) {
    Object judged = effective.get(setting.key);
    return judged != null ? judged : given.get(setting.key);
  }
}
