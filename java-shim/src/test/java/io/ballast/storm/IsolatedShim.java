package io.ballast.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;

/**
 * The shim in a class loader of its own, as Nimbus would make it: the JVM binds native functions to
 * classes, so a broken library can only be tried on a fresh copy of them. Storm is shared.
 */
final class IsolatedShim extends URLClassLoader {
  private final IScheduler scheduler;

  /**
   * @param folders where else to look, for {@code native/linux-x86_64/} in place of the jar's own
   */
  IsolatedShim(Path... folders) {
    super(urls(folders), IsolatedShim.class.getClassLoader());
    try {
      scheduler =
          loadClass(BallastScheduler.class.getName())
              .asSubclass(IScheduler.class)
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException broken) {
      throw new IllegalStateException(broken);
    }
  }

  private static URL[] urls(Path... folders) {
    URL[] urls = new URL[folders.length + 1];
    try {
      urls[0] = BallastScheduler.class.getProtectionDomain().getCodeSource().getLocation();
      for (int i = 0; i < folders.length; i++) {
        urls[i + 1] = folders[i].toUri().toURL();
      }
    } catch (MalformedURLException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return urls;
  }

  /** Our own classes are this loader's, all others Storm's. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.ballast.storm.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  /** The libraries of the build under test are hidden: only the folders given have any. */
  @Override
  public URL getResource(String name) {
    if (!name.startsWith("native/")) {
      return super.getResource(name);
    }
    URL[] urls = getURLs();
    for (int i = 1; i < urls.length; i++) {
      Path file = Path.of(urls[i].getPath()).resolve(name);
      if (file.toFile().isFile()) {
        try {
          return file.toUri().toURL();
        } catch (MalformedURLException impossible) {
          throw new UncheckedIOException(impossible);
        }
      }
    }
    return null;
  }

  /** Prepares it and runs one round. */
  Cluster round(ClusterBuilder state, Map<String, Object> settings) {
    Map<String, Object> conf = state.stormConf();
    conf.putAll(settings);
    scheduler.prepare(conf, new StormMetricsRegistry());
    return again(state);
  }

  /** Runs one more round. */
  Cluster again(ClusterBuilder state) {
    Cluster cluster = state.build();
    scheduler.schedule(cluster.getTopologies(), cluster);
    return cluster;
  }

  @Override
  public void close() throws IOException {
    scheduler.cleanup();
    super.close();
  }
}
