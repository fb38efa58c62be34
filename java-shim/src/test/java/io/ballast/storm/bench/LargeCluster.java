package io.ballast.storm.bench;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.SchedulerAssignmentImpl;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.resource.TestUtilsForResourceAwareScheduler.GenSupervisorsDnsToSwitchMapping;
import org.apache.storm.scheduler.resource.normalization.NormalizedResources;
import org.apache.storm.scheduler.resource.normalization.ResourceMetrics;
import org.apache.storm.scheduler.resource.strategies.scheduling.DefaultResourceAwareStrategy;
import org.apache.storm.scheduler.resource.strategies.scheduling.TestLargeCluster;
import org.apache.storm.scheduler.resource.strategies.scheduling.TestLargeCluster.TEST_CLUSTER_NAME;
import org.apache.storm.utils.Utils;

/**
 * One of the production clusters that Storm's own tests carry, anonymized: topologies as they were
 * submitted, supervisors by rack and size. Made by {@link TestLargeCluster} itself, so that the
 * figures are about exactly its clusters.
 */
record LargeCluster(
    String name,
    Map<String, SupervisorDetails> supervisors,
    Topologies topologies,
    Map<String, Object> conf) {

  /** Folder of the artifact {@code storm-client}, classifier tests, that holds the topologies. */
  private static final String FOLDER = "clusterconf/";

  /**
   * @param number 1 to 3
   * @param folder for the unpacked topologies, which Storm's test reads from a folder only
   */
  static LargeCluster read(int number, Path folder) throws Exception {
    String name = "largeCluster0" + number;
    NormalizedResources.resetResourceNames();
    Map<String, Object> conf = Utils.readDefaultConfig();
    TopologyDetails[] topologies = topologies(FOLDER + name, folder);
    conf.putAll(topologies[0].getConf());
    // Names a service of the clusters' owner that hands out guarantees of users.
    conf.remove(DaemonConfig.SCHEDULER_CONFIG_LOADER_URI);
    conf.put(Config.TOPOLOGY_SCHEDULER_STRATEGY, DefaultResourceAwareStrategy.class.getName());
    conf.put(
        Config.STORM_NETWORK_TOPOGRAPHY_PLUGIN, GenSupervisorsDnsToSwitchMapping.class.getName());
    return new LargeCluster(name, supervisors(number), new Topologies(topologies), conf);
  }

  /** With nothing placed. */
  Cluster empty() {
    return with(new HashMap<>());
  }

  /** With everything where another cluster object has it. */
  Cluster placedAs(Cluster other) {
    Map<String, SchedulerAssignment> assignments = new HashMap<>();
    other.getAssignments().forEach((id, a) -> assignments.put(id, new SchedulerAssignmentImpl(a)));
    return with(assignments);
  }

  private Cluster with(Map<String, SchedulerAssignment> assignments) {
    return new Cluster(
        new TestLargeCluster.INimbusTest(),
        new ResourceMetrics(new StormMetricsRegistry()),
        supervisors,
        assignments,
        topologies,
        conf);
  }

  int executors() {
    return topologies.getTopologies().stream().mapToInt(t -> t.getExecutors().size()).sum();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, SupervisorDetails> supervisors(int number) throws Exception {
    Method create =
        TestLargeCluster.class.getDeclaredMethod(
            "createSupervisors", TEST_CLUSTER_NAME.class, int.class);
    create.setAccessible(true);
    return (Map<String, SupervisorDetails>)
        create.invoke(null, TEST_CLUSTER_NAME.values()[number - 1], 0);
  }

  private static TopologyDetails[] topologies(String path, Path folder) throws Exception {
    unpack(folder);
    // It reports a topology without executors, which it leaves out, as an error.
    Configurator.setLevel(TestLargeCluster.class.getName(), Level.OFF);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (FolderFirst loader = new FolderFirst(folder.toUri().toURL(), before)) {
      thread.setContextClassLoader(loader);
      return TestLargeCluster.createTopoDetailsArray(path, true);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void unpack(Path folder) throws IOException {
    URL jar = Utils.class.getClassLoader().getResource(FOLDER);
    String path = jar.getPath().substring(0, jar.getPath().indexOf('!'));
    try (JarInputStream entries = new JarInputStream(new URL(path).openStream())) {
      for (JarEntry entry = entries.getNextJarEntry();
          entry != null;
          entry = entries.getNextJarEntry()) {
        Path target = folder.resolve(entry.getName()).normalize();
        if (entry.getName().startsWith(FOLDER) && !entry.isDirectory() && !Files.exists(target)) {
          Files.createDirectories(target.getParent());
          Files.copy(entries, target);
        }
      }
    }
  }

  /** Finds a folder where the jar has one of the same name, which cannot be listed. */
  private static final class FolderFirst extends URLClassLoader {
    FolderFirst(URL folder, ClassLoader parent) {
      super(new URL[] {folder}, parent);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      URL own = findResource(name);
      try {
        return own == null ? super.getResourceAsStream(name) : own.openStream();
      } catch (IOException unreadable) {
        return null;
      }
    }
  }
}
