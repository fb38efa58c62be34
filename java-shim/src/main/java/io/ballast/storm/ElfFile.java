package io.ballast.storm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A look at a library before the system's loader maps it: the loader does not compare segments with
 * the length of the file, and touching a page beyond the end of a truncated one is a SIGBUS, which
 * ends the JVM and Nimbus with it. An ELF file's section table lies at its end, so a file that
 * holds the whole table is whole.
 */
final class ElfFile {
  private static final int HEADER = 64;
  private static final int SECTION_TABLE_OFFSET = 0x28;
  private static final int SECTION_ENTRY_SIZE = 0x3A;
  private static final int SECTION_ENTRIES = 0x3C;

  private ElfFile() {}

  /**
   * Checks that a library is a whole 64-bit ELF file; which machine it is for, the loader tells.
   *
   * @throws NativeFailure if it is not
   */
  static void check(Path library) {
    ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    long length;
    try (FileChannel file = FileChannel.open(library, StandardOpenOption.READ)) {
      length = file.size();
      while (header.hasRemaining() && file.read(header) >= 0) {
        // A read may give less than asked for.
      }
    } catch (IOException unreadable) {
      throw new NativeFailure("cannot load " + library + ": " + unreadable, unreadable);
    }
    if (header.hasRemaining() || header.getInt(0) != 0x464C457F || header.get(4) != 2) {
      throw new NativeFailure("cannot load " + library + ": it is no 64-bit ELF library");
    }
    long entries = header.getShort(SECTION_ENTRIES) & 0xFFFF;
    long size = header.getShort(SECTION_ENTRY_SIZE) & 0xFFFF;
    long whole = header.getLong(SECTION_TABLE_OFFSET) + entries * size;
    if (whole < 0 || length < whole) {
      throw new NativeFailure(
          "cannot load " + library + ": it is cut off, " + length + " of " + whole + " bytes");
    }
  }
}
