package dev.onceward.worker.media;

import dev.onceward.db.media.SpooledContent;
import java.io.IOException;
import javax.imageio.stream.ImageInputStreamImpl;

/** Lets image readers move about in a spooled content. Confined to one thread. */
final class SpoolImageStream extends ImageInputStreamImpl {

  private static final int MOST_AT_ONCE = 64 * 1024;

  private final SpooledContent content;

  SpoolImageStream(SpooledContent content) {
    this.content = content;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    checkClosed();
    bitOffset = 0;
    if (length == 0) {
      return 0;
    }
    byte[] bytes = content.read(streamPos, Math.min(length, MOST_AT_ONCE));
    System.arraycopy(bytes, 0, target, offset, bytes.length);
    streamPos += bytes.length;
    return bytes.length == 0 ? -1 : bytes.length;
  }

  @Override
  public long length() {
    return content.sizeBytes();
  }
}
