package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Statistics that cannot be read. */
class LoadFeedTest {
  @Test
  void aNimbusThatDoesNotAnswerIsToldOnceAndLeavesLoadsAsTheyWere() throws Exception {
    Map<String, Object> conf = Utils.readDefaultConfig();
    try (ServerSocket free = new ServerSocket(0)) {
      conf.put(Config.NIMBUS_THRIFT_PORT, free.getLocalPort());
    }
    conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
    conf.put(Config.STORM_NIMBUS_RETRY_TIMES, 0);
    LoadFeed feed = new LoadFeed(conf, new Homes());
    try (LogLines log = new LogLines()) {
      assertFalse(feed.attempt());
      assertFalse(feed.attempt());
      assertEquals(Loads.NONE, feed.current());
      assertEquals(1, log.troubles().size(), () -> "" + log.troubles());
      assertTrue(log.troubles().get(0).contains("cannot read Nimbus's statistics"));
    }
  }
}
