package io.ballast.hook;

/** What of the hook can fail on its own; a part that failed is left alone for good. */
enum Part {
  /** Setting a task up: its figures are missing. */
  TASK,
  /** Counting on the tuple path of one task. */
  TUPLES,
  /** Sampling the serialized size of one stream's tuples. */
  SIZES,
  /** CPU time of executor threads. */
  CPU,
  /** Waiting time in the executors' receive queues. */
  QUEUES,
  /** CPU time of the worker's process and its garbage collection. */
  WORKER,
  /** CPU time of the node. */
  NODE,
  /** Making and sending reports: one attempt failed, the next one is made all the same. */
  REPORT
}
