package io.ballast.storm;

/** Loads the engine from the class path in a JVM of its own and prints what came of it. */
final class LoadOnce {
  private LoadOnce() {}

  /** Prints the library, or the reason there is none. */
  public static void main(String[] unused) {
    try {
      System.out.println("loaded " + NativeLoader.load(""));
    } catch (NativeFailure failed) {
      System.out.println("failed " + failed.getMessage());
    }
  }
}
