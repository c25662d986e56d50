package dev.onceward.worker.media;

import dev.onceward.db.media.SpooledContent;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;

/** The size of an image, as its header says. Immutable. */
record ImageSize(int widthPixels, int heightPixels) {

  /** Formats whose headers Java reads without unpacking anything. */
  private static final Map<String, String> FORMATS =
      Map.of("image/png", "png", "image/jpeg", "jpeg", "image/gif", "gif", "image/bmp", "bmp");

  /**
   * Reads the header of an image.
   *
   * @return null if the type is not one that can be measured
   * @throws UnreadableImageException if the header is broken
   */
  static @Nullable ImageSize read(String type, SpooledContent content)
      throws UnreadableImageException {
    String format = FORMATS.get(type);
    if (format == null) {
      return null;
    }
    Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format);
    if (!readers.hasNext()) {
      return null;
    }
    ImageReader reader = readers.next();
    try (ImageInputStream stream = new SpoolImageStream(content)) {
      reader.setInput(stream, true, true);
      int width = reader.getWidth(0);
      int height = reader.getHeight(0);
      if (width < 1 || height < 1) {
        throw new UnreadableImageException(new IOException("no extent"));
      }
      return new ImageSize(width, height);
    } catch (UnreadableImageException known) {
      throw known;
    } catch (IOException | RuntimeException broken) {
      // The readers answer broken headers with runtime exceptions of many kinds, too.
      throw new UnreadableImageException(broken);
    } finally {
      reader.dispose();
    }
  }
}
