package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Numbers that the shim reads while there may be no engine to judge them. */
class BallastConfTest {
  private static BallastConf warm(Object value) {
    return BallastConf.of(Map.of("ballast.load.warm.secs", value));
  }

  @Test
  void zeroIsAnAmountWhereItSwitchesSomethingOffAndNoneElsewhere() {
    assertEquals(0.0, warm(0).amount(BallastConf.Setting.LOAD_WARM_SECS));
    assertEquals(0.0, warm("0").amount(BallastConf.Setting.LOAD_WARM_SECS));
    assertEquals(45.0, warm(45).amount(BallastConf.Setting.LOAD_WARM_SECS));
    assertEquals(300.0, warm(0).number(BallastConf.Setting.LOAD_WARM_SECS));
  }

  @Test
  void whatIsNoAmountLeavesTheDefault() {
    for (Object value : new Object[] {-1, "soon", Double.NaN, 1e12, true}) {
      assertEquals(300.0, warm(value).amount(BallastConf.Setting.LOAD_WARM_SECS), "" + value);
    }
  }
}
