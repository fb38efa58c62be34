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
}
