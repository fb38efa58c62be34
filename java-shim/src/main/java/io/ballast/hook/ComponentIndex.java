package io.ballast.hook;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The components of a topology by number, and the component of each task. */
final class ComponentIndex {
  private final List<String> names;
  private final short[] ofTask;

  /**
   * @param taskToComponent as Storm's contexts have it; system tasks may be in it
   */
  ComponentIndex(Map<Integer, String> taskToComponent) {
    names = List.copyOf(new TreeSet<>(taskToComponent.values()));
    int last = taskToComponent.keySet().stream().mapToInt(task -> task).max().orElse(0);
    ofTask = new short[Math.max(0, last) + 1];
    taskToComponent.forEach(
        (task, component) -> {
          if (task >= 0) {
            ofTask[task] = (short) names.indexOf(component);
          }
        });
  }

  int size() {
    return names.size();
  }

  /** Sorted by name. */
  List<String> names() {
    return names;
  }

  /** The number of the component of a task of the topology. */
  int of(int task) {
    return ofTask[task];
  }
}
