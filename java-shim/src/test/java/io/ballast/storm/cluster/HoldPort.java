package io.ballast.storm.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Holds a port until it is killed, so that nobody else can have it: HOST PORT. */
final class HoldPort {
  private HoldPort() {}

  public static void main(String[] arguments) throws Exception {
    try (ServerSocket socket = new ServerSocket()) {
      InetAddress host = InetAddress.getByName(arguments[0]);
      socket.bind(new InetSocketAddress(host, Integer.parseInt(arguments[1])));
      System.out.println("held");
      Thread.currentThread().join();
    }
  }
}
