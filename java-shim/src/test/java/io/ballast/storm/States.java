package io.ballast.storm;

import static io.ballast.storm.ClusterBuilder.cluster;

/** Small clusters that several tests begin with. */
final class States {
  private States() {}

  /** Two nodes of two slots; {@code t1} has four executors and no slot yet. */
  static ClusterBuilder submitted() {
    return cluster()
        .node("n1", "h1", 6700, 6701)
        .node("n2", "h2", 6700, 6701)
        .topology("t1", 2)
        .executor(1, "a", 50)
        .executor(2, "a", 50)
        .executor(3, "b", 50)
        .executor(4, "b", 50);
  }

  /** The same, running: {@code n1:6700 {1,3}}, {@code n2:6700 {2,4}}. */
  static ClusterBuilder running() {
    return submitted().worker("n1", 6700, 1, 3).worker("n2", 6700, 2, 4);
  }

  /** Running, but for executor 3, whose worker's other executor lives on. */
  static ClusterBuilder wounded() {
    return running().homeless(3);
  }

  /**
   * Field case A01: six workers of two executors on {@code sA} and {@code sB}; {@code sC} came back
   * and is empty.
   */
  static ClusterBuilder returned() {
    ClusterBuilder state =
        cluster()
            .node("sA", "h1", 6700, 6701, 6702, 6703)
            .node("sB", "h2", 6700, 6701, 6702, 6703)
            .node("sC", "h3", 6700, 6701, 6702, 6703)
            .topology("t1", 6);
    for (int task = 1; task <= 12; task++) {
      int worker = (task - 1) / 2;
      state.executor(task, "a", 50).at(worker < 3 ? "sA" : "sB", 6700 + worker % 3);
    }
    return state;
  }
}
