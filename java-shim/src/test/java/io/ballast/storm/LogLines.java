package io.ballast.storm;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What Ballast writes into Nimbus's log while this is open. */
final class LogLines implements AutoCloseable {
  /** A line and its level. */
  record Line(Level level, String text) {}

  private final Logger logger = (Logger) LogManager.getLogger("io.ballast.storm");
  private final List<Line> lines = new CopyOnWriteArrayList<>();
  private final Level levelBefore = logger.getLevel();
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          lines.add(new Line(event.getLevel(), event.getMessage().getFormattedMessage()));
        }
      };

  LogLines() {
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.INFO);
  }

  /** All lines so far. */
  List<Line> all() {
    return List.copyOf(lines);
  }

  /** The texts of warnings and errors so far. */
  List<String> troubles() {
    return lines.stream()
        .filter(l -> l.level().isMoreSpecificThan(Level.WARN))
        .map(Line::text)
        .toList();
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    logger.setLevel(levelBefore);
    appender.stop();
  }
}
