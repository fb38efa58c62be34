package io.ballast.storm;

/**
 * The door to the engine: two functions from UTF-8 JSON to UTF-8 JSON, implemented in Rust ({@code
 * src/jni.rs}). Both are stateless and may be called from any thread. The contract of the bytes is
 * {@code src/wire/README.md}.
 *
 * <p>The library is loaded by {@link NativeLoader}, never by a static initializer: a library that
 * cannot be loaded must leave a stored reason, not a class that fails to initialize.
 */
final class NativeBallast {
  private NativeBallast() {}

  /** The handshake: settings in, effective settings and their problems out. */
  static native byte[] hello(byte[] request) throws NativeFailure;

  /** A snapshot of the cluster in, a reply out. */
  static native byte[] answer(byte[] request) throws NativeFailure;
}
