package io.ballast.storm;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The class of the object that a Java serialization stream begins with, by name only.
 *
 * <p>Nimbus holds every bolt and spout as such a stream, made by the submitter with classes that
 * Nimbus does not have. To deserialize it would load and run foreign code; so nothing is
 * deserialized here. The stream's first bytes are read as text (Java Object Serialization
 * Specification, chapter 6.4: {@code magic version TC_OBJECT TC_CLASSDESC className}), at most
 * {@value #NAME_MAX} of them, without an {@code ObjectInputStream} and without looking up a class.
 * Anything else, cut short, or of another kind (a proxy, an array, a text) has no name here.
 */
final class SerializedClass {
  /** Longest name that is read, in bytes; names of Storm's own classes are far shorter. */
  private static final int NAME_MAX = 512;

  private static final int HEADER = 8;

  private SerializedClass() {}

  /** The name of the class, dots between its packages; the buffer stays as it is. */
  static Optional<String> name(ByteBuffer stream) {
    // A view of its own starts in big-endian order, which is the stream's.
    ByteBuffer bytes = stream.asReadOnlyBuffer();
    if (bytes.remaining() < HEADER
        || bytes.getShort() != ObjectStreamConstants.STREAM_MAGIC
        || bytes.getShort() != ObjectStreamConstants.STREAM_VERSION
        || bytes.get() != ObjectStreamConstants.TC_OBJECT
        || bytes.get() != ObjectStreamConstants.TC_CLASSDESC) {
      return Optional.empty();
    }
    int length = Short.toUnsignedInt(bytes.getShort(bytes.position()));
    if (length == 0 || length > NAME_MAX || bytes.remaining() < Short.BYTES + length) {
      return Optional.empty();
    }
    byte[] text = new byte[Short.BYTES + length];
    bytes.get(text);
    try {
      return Optional.of(new DataInputStream(new ByteArrayInputStream(text)).readUTF());
    } catch (IOException notUtf) {
      return Optional.empty();
    }
  }
}
