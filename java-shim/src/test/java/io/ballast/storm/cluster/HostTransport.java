package io.ballast.storm.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.storm.Config;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.SimpleTransportPlugin;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.server.THsHaServer;
import org.apache.storm.thrift.server.TServer;
import org.apache.storm.thrift.transport.TNonblockingServerSocket;
import org.apache.storm.thrift.transport.TTransportException;

/**
 * A Thrift server that listens on the daemon's own host ({@code storm.local.hostname}) only.
 *
 * <p>Storm's client knows one port for all of {@code nimbus.seeds}, and Storm's own transport
 * listens on every address of a machine. So two Nimbus daemons on one machine could not both be
 * reached; with this they have the same port on two loopback addresses. For the daemons' {@code
 * storm.thrift.transport}; as a client it is what it extends.
 */
public final class HostTransport extends SimpleTransportPlugin {
  private int port;

  @Override
  public TServer getServer(TProcessor processor) throws IOException, TTransportException {
    String host = (String) topoConf.get(Config.STORM_LOCAL_HOSTNAME);
    TNonblockingServerSocket socket =
        new TNonblockingServerSocket(new InetSocketAddress(host, type.getPort(topoConf)));
    port = socket.getPort();
    int largest = type.getMaxBufferSize(topoConf);
    THsHaServer.Args settings =
        new THsHaServer.Args(socket)
            .processor(
                (in, out) -> {
                  // Everybody is anonymous, and nobody keeps the name of the call before.
                  ReqContext.context().setSubject(null);
                  processor.process(in, out);
                })
            .maxWorkerThreads(type.getNumThreads(topoConf))
            .protocolFactory(new TBinaryProtocol.Factory(false, true, largest, -1));
    settings.maxReadBufferBytes = largest;
    return new THsHaServer(settings);
  }

  @Override
  public int getPort() {
    return port;
  }
}
