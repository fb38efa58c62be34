package io.ballast.storm.bench;

import io.ballast.storm.BenchDoor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.scheduler.resource.ResourceAwareScheduler;

/** Writes the placement request of each empty large cluster to the folder of the argument. */
final class DumpRequests {
  private DumpRequests() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    for (int number = 1; number <= 3; number++) {
      LargeCluster cluster = LargeCluster.read(number, folder);
      Map<String, Object> conf = new HashMap<>(cluster.conf());
      conf.put("ballast.delegate.scheduler", ResourceAwareScheduler.class.getName());
      Path file = folder.resolve(cluster.name() + ".json");
      Files.write(file, BenchDoor.placement(conf, cluster.topologies(), cluster.empty()));
      System.out.println(file);
    }
  }
}
