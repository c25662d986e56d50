package dev.onceward.db.media;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Bytes on their way between the network and the database, in a temporary file that has no name:
 * memory stays bounded, and nothing is left behind however the process ends. Written by one thread,
 * then read by any; close it, or the file lives until this object is collected.
 */
public final class SpooledContent implements AutoCloseable {

  private static final int BUFFER_BYTES = 64 * 1024;

  private final FileChannel file;
  private final long sizeBytes;
  private final byte[] sha256;

  private SpooledContent(FileChannel file, long sizeBytes, byte[] sha256) {
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.sha256 = sha256;
  }

  /** Writes the bytes to be spooled. */
  @FunctionalInterface
  public interface Source<E extends Exception> {
    /** Writes all bytes to {@code target} and does not close it. */
    void writeTo(OutputStream target) throws E, IOException;
  }

  /**
   * Spools all that a source writes.
   *
   * @throws ContentTooLargeException at the first byte past {@code maxBytes}
   * @throws IOException if there is no room in the temporary directory
   * @throws E as the source does; the file is gone then
   */
  public static <E extends Exception> SpooledContent from(long maxBytes, Source<E> source)
      throws E, IOException {
    FileChannel file = nameless();
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      Target target = new Target(file, digest, maxBytes);
      source.writeTo(target);
      return new SpooledContent(file, target.written, digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    } catch (Throwable failure) {
      file.close();
      throw failure;
    }
  }

  /** Spools a stream to its end; it is not closed. As {@link #from(long, Source)} otherwise. */
  public static SpooledContent from(long maxBytes, InputStream source) throws IOException {
    return from(
        maxBytes,
        (Source<IOException>)
            target -> {
              byte[] buffer = new byte[BUFFER_BYTES];
              for (int read = source.read(buffer); read >= 0; read = source.read(buffer)) {
                target.write(buffer, 0, read);
              }
            });
  }

  /** Readable by this user only, and unlinked before the first byte is in it. */
  private static FileChannel nameless() throws IOException {
    Path path = Files.createTempFile("onceward-", ".spool");
    try {
      return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } finally {
      Files.delete(path);
    }
  }

  /** How many bytes there are. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** The digest of all bytes: 32 of them. */
  public byte[] sha256() {
    return sha256.clone();
  }

  /**
   * Up to {@code length} bytes from a place in the content; fewer only at its end.
   *
   * @throws IOException if the file cannot be read
   */
  public byte[] read(long from, int length) throws IOException {
    long left = Math.max(0, sizeBytes - from);
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, left));
    while (buffer.hasRemaining()) {
      if (file.read(buffer, from + buffer.position()) < 0) {
        throw new IOException("the temporary file ends too early");
      }
    }
    return buffer.array();
  }

  /** All bytes from the front; closing the stream does nothing. */
  public InputStream stream() {
    return new InputStream() {
      private long next;

      @Override
      public int read() throws IOException {
        byte[] one = SpooledContent.this.read(next, 1);
        next += one.length;
        return one.length == 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
          return 0;
        }
        byte[] bytes = SpooledContent.this.read(next, Math.min(length, BUFFER_BYTES));
        System.arraycopy(bytes, 0, target, offset, bytes.length);
        next += bytes.length;
        return bytes.length == 0 ? -1 : bytes.length;
      }
    };
  }

  /** Gives the file's room back. */
  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new IllegalStateException("a temporary file cannot be closed", e);
    }
  }

  /** Counts and digests what goes to the file. */
  private static final class Target extends OutputStream {
    private final FileChannel file;
    private final MessageDigest digest;
    private final long maxBytes;
    private long written;

    Target(FileChannel file, MessageDigest digest, long maxBytes) {
      this.file = file;
      this.digest = digest;
      this.maxBytes = maxBytes;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (length > maxBytes - written) {
        throw new ContentTooLargeException(maxBytes);
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
      while (buffer.hasRemaining()) {
        file.write(buffer);
      }
      digest.update(bytes, offset, length);
      written += length;
    }
  }
}
