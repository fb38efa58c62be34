package io.ballast.storm;

/** The engine behind {@link NativeBallast}; exists only where its library is loaded. */
final class NativeEngine implements Engine {
  private final String library;

  private NativeEngine(String library) {
    this.library = library;
  }

  /** Loads the library {@link NativeLoader} finds for these settings. */
  static Engine.Source source(BallastConf conf) {
    return () -> new NativeEngine(NativeLoader.load(conf.text(BallastConf.Setting.NATIVE_PATH)));
  }

  @Override
  public byte[] hello(byte[] request) {
    try {
      return NativeBallast.hello(request);
    } catch (UnsatisfiedLinkError missing) {
      throw incomplete(missing);
    }
  }

  @Override
  public byte[] answer(byte[] request) {
    try {
      return NativeBallast.answer(request);
    } catch (UnsatisfiedLinkError missing) {
      throw incomplete(missing);
    }
  }

  /** The JVM looks for a function when it is first called: better in prepare than in a round. */
  @Override
  public void probe() {
    Wire.object(answer(new byte[] {'{', '}'}));
  }

  private NativeFailure incomplete(UnsatisfiedLinkError missing) {
    return new NativeFailure(library + " lacks a function: " + missing.getMessage(), missing);
  }
}
