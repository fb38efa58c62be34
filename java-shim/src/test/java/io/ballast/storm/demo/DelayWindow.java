package io.ballast.storm.demo;

/**
 * The latest delays of one key and how sure their mean is: a bootstrap (Efron, 1979) of the mean
 * over the window. It is the topology's honest work: each update draws {@code resamples x SIZE}
 * times, so its cost is computing, and proportional to how often a key occurs. A window that is not
 * full yet takes more samples of fewer draws: were its updates cheaper, a topology would become
 * dearer for as long as it runs, and no two rates measured on it could be compared.
 */
final class DelayWindow {
  static final int SIZE = 64;

  private final int[] delays = new int[SIZE];
  private final int resamples;
  private long seen;
  private long random;

  /**
   * @param resamples bootstrap samples drawn at each update of a full window
   * @param seed start of the random sequence; the same seed and delays give the same results
   */
  DelayWindow(int resamples, long seed) {
    this.resamples = resamples;
    this.random = seed;
  }

  /**
   * @param mean of the window, minutes
   * @param error standard error of that mean, minutes
   */
  record Estimate(double mean, double error) {
    /** Lower end of the 95 % interval: the delay that is there beyond chance. */
    double surelyAbove() {
      return mean - 1.96 * error;
    }
  }

  Estimate add(int delay) {
    delays[(int) (seen % SIZE)] = delay;
    seen++;
    int size = (int) Math.min(seen, SIZE);
    int samples = samples(resamples, size);
    double sum = 0;
    double squares = 0;
    for (int sample = 0; sample < samples; sample++) {
      double mean = (double) drawSum(size) / size;
      sum += mean;
      squares += mean * mean;
    }
    double mean = sum / samples;
    return new Estimate(mean, Math.sqrt(Math.max(0, squares / samples - mean * mean)));
  }

  /**
   * Samples that take as long for so many delays as {@code resamples} take for a full window. Below
   * four delays a sample costs more than its draws, as much as one of four.
   */
  static int samples(int resamples, int size) {
    return resamples * SIZE / Math.max(size, 4);
  }

  /** Sum of as many draws with replacement as the window holds. */
  private long drawSum(int size) {
    long sum = 0;
    long state = random;
    for (int draw = 0; draw < size; draw++) {
      // Knuth's 64-bit linear congruential step; only the high bits are good enough to be used.
      state = state * 6364136223846793005L + 1442695040888963407L;
      sum += delays[(int) (((state >>> 33) * size) >>> 31)];
    }
    random = state;
    return sum;
  }
}
