package io.ballast.storm.demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages between workers that are threads of one process, where a worker's death stays its own.
 *
 * <p>Workers learn of a new assignment one by one. Meanwhile tuples reach workers that do not run
 * their task (any more, or yet), and {@code WorkerState.transferLocalBatch} then ends the process.
 * On a cluster that is one worker, mostly one that is about to be killed anyway. LocalCluster's own
 * transport would end everything, so here such a tuple is lost, as one on its way to a dying worker
 * is; its tree times out and the spout plays it again.
 */
public final class OneProcessTransport implements IContext {
  private static final Logger LOG = LoggerFactory.getLogger(OneProcessTransport.class);

  /** By topology and port; ports are unique across the supervisors of a LocalCluster. */
  private static final Map<String, Server> SERVERS = new ConcurrentHashMap<>();

  private static final AtomicLong LOST = new AtomicLong();

  /** As Storm makes it, one for each worker. */
  public OneProcessTransport() {}

  /** Tuples lost so far, in the whole process. */
  static long lost() {
    return LOST.get();
  }

  @Override
  @Deprecated
  public void prepare(Map<String, Object> conf) {
    // All state is the process's.
  }

  @Override
  public void term() {
    // Connections are closed one by one.
  }

  @Override
  public IConnection bind(
      String topology, int port, IConnectionCallback callback, Supplier<Object> greeting) {
    Server server = new Server(key(topology, port), port, callback);
    SERVERS.put(server.key, server);
    return server;
  }

  @Override
  public IConnection connect(String topology, String host, int port, AtomicBoolean[] backPressure) {
    return new Client(key(topology, port), port);
  }

  private static String key(String topology, int port) {
    return topology + "-" + port;
  }

  private static void lose(int tuples) {
    LOST.addAndGet(tuples);
    LOG.debug("{} tuples lost on their way to a worker that is not there", tuples);
  }

  /** A worker's ear. */
  private static final class Server implements IConnection {
    private final String key;
    private final int port;
    private final IConnectionCallback callback;
    private final Map<Integer, Double> load = new ConcurrentHashMap<>();

    Server(String key, int port, IConnectionCallback callback) {
      this.key = key;
      this.port = port;
      this.callback = callback;
    }

    /** One by one, so that one tuple gone astray does not take its batch along. */
    void receive(TaskMessage message) {
      try {
        callback.recv(new ArrayList<>(List.of(message)));
      } catch (NullPointerException noSuchTaskHere) {
        lose(1);
      }
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
      load.putAll(taskToLoad);
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
      Map<Integer, Load> known = new ConcurrentHashMap<>();
      for (Integer task : tasks) {
        Double value = load.get(task);
        if (value != null) {
          known.put(task, new Load(true, value, 0));
        }
      }
      return known;
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
      throw new UnsupportedOperationException("a server does not send");
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
      // Queues of this process are long enough for the demo's rate; Storm's own local transport
      // knows no back pressure either.
    }

    @Override
    public int getPort() {
      return port;
    }

    @Override
    public void close() {
      SERVERS.remove(key, this);
    }
  }

  /** A worker's mouth; what listens at the port may change under it. */
  private static final class Client implements IConnection {
    private final String key;
    private final int port;

    Client(String key, int port) {
      this.key = key;
      this.port = port;
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
      Server server = SERVERS.get(key);
      while (messages.hasNext()) {
        TaskMessage message = messages.next();
        if (server == null) {
          lose(1);
        } else {
          server.receive(message);
        }
      }
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
      Server server = SERVERS.get(key);
      return server == null ? Map.of() : server.getLoad(tasks);
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
      Server server = SERVERS.get(key);
      if (server != null) {
        server.sendLoadMetrics(taskToLoad);
      }
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
      throw new UnsupportedOperationException("a client has no back pressure to tell of");
    }

    @Override
    public int getPort() {
      return port;
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
