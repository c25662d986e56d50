package dev.onceward.worker.media;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** Images of any format that Java writes. */
public final class TestImages {

  private TestImages() {}

  /** An image as a file of that format. */
  public static byte[] of(String format, int width, int height) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(
          new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), format, bytes)) {
        throw new IllegalArgumentException(format);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
