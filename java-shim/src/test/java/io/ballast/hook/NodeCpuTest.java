package io.ballast.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which CPU a worker's node is. */
class NodeCpuTest {
  @TempDir Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private NodeCpu find(String workerId) throws IOException {
    return NodeCpu.find(root.resolve("proc"), root.resolve("cg"), workerId);
  }

  private void machine() throws IOException {
    file("proc/stat", "cpu  100 10 50 9000 7 3 2 5 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 5\n");
  }

  @Test
  void theSupervisorsCgroupOfVersion2() throws IOException {
    machine();
    file("proc/self/cgroup", "0::/storm/node1/w-7\n");
    file("cg/storm/node1/cpu.max", "35000 100000\n");
    file("cg/storm/node1/cpu.stat", "usage_usec 1000\nuser_usec 1\n");
    file("cg/storm/node1/w-7/cpu.max", "10000 100000\n");
    file("cg/storm/node1/w-7/cpu.stat", "usage_usec 7\n");
    NodeCpu node = find("w-7");
    file("cg/storm/node1/cpu.stat", "usage_usec 3500\nuser_usec 1\n");
    assertEquals(new Interval.Node(NodeCpu.Kind.CGROUP, 2_500_000, 0.35), node.roll());
    assertEquals(0, node.roll().cpuNanos());
  }

  @Test
  void theSupervisorsCgroupOfVersion1() throws IOException {
    machine();
    file("proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/storm/node1\n");
    file("cg/cpu,cpuacct/storm/node1/cpu.cfs_quota_us", "35000\n");
    file("cg/cpu,cpuacct/storm/node1/cpu.cfs_period_us", "100000\n");
    file("cg/cpu,cpuacct/storm/node1/cpuacct.usage", "5000\n");
    NodeCpu node = find("w-7");
    file("cg/cpu,cpuacct/storm/node1/cpuacct.usage", "9000\n");
    assertEquals(new Interval.Node(NodeCpu.Kind.CGROUP, 4000, 0.35), node.roll());
  }

  @Test
  void accountingOfVersion1MayBeMountedApart() throws IOException {
    machine();
    file("proc/self/cgroup", "4:cpu:/node1\n3:cpuacct:/node1\n");
    file("cg/cpu/node1/cpu.cfs_quota_us", "150000\n");
    file("cg/cpu/node1/cpu.cfs_period_us", "100000\n");
    file("cg/cpuacct/node1/cpuacct.usage", "5000\n");
    NodeCpu node = find("");
    file("cg/cpuacct/node1/cpuacct.usage", "5001\n");
    assertEquals(new Interval.Node(NodeCpu.Kind.CGROUP, 1, 1.5), node.roll());
  }

  @Test
  void withoutAQuotaItIsTheMachine() throws IOException {
    machine();
    file("proc/self/cgroup", "0::/system.slice/storm.service\n");
    file("cg/system.slice/storm.service/cpu.max", "max 100000\n");
    file("cg/system.slice/storm.service/cpu.stat", "usage_usec 1000\n");
    NodeCpu node = find("w-7");
    // 5 ticks of user, 1 of nice, 2 of system, 1 of each interrupt: 10 x 10 ms. Idle, disk, stolen:
    // not.
    file("proc/stat", "cpu  105 11 52 9900 70 4 3 50 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n");
    assertEquals(new Interval.Node(NodeCpu.Kind.MACHINE, 100_000_000, 2), node.roll());
  }

  @Test
  void whereNothingCanBeReadNothingIsTold() throws IOException {
    assertEquals(Interval.Node.UNKNOWN, find("w-7").roll());
  }

  @Test
  void thisMachineCanBeRead() throws IOException {
    assertNotEquals(NodeCpu.Kind.NONE, NodeCpu.find("").roll().kind());
  }
}
