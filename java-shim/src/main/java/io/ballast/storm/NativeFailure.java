package io.ballast.storm;

/**
 * The engine could not answer: a Rust panic or an error at the JNI door (thrown by Rust, by this
 * name and constructor), or bytes that are no reply.
 */
public final class NativeFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NativeFailure(String message) {
    super(message);
  }

  NativeFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
