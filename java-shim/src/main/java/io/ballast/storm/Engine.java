package io.ballast.storm;

/**
 * The engine as the shim sees it: UTF-8 JSON in, UTF-8 JSON out, no state between calls. {@code
 * src/wire/README.md} is the contract of the bytes.
 *
 * <p>An interface because the engine could as well be a child process, and because tests must be
 * able to answer nonsense.
 */
interface Engine {
  /** The handshake. */
  byte[] hello(byte[] request);

  /** A snapshot in, a plan out. */
  byte[] answer(byte[] request);

  /** Proves that every function is there, once, after the handshake; throws if not. */
  default void probe() {}

  /** Where an engine comes from; asked again after it was left alone for a while. */
  interface Source {
    /**
     * Finds and loads the engine.
     *
     * @throws NativeFailure with path and reason if there is none to be had
     */
    Engine open();
  }
}
