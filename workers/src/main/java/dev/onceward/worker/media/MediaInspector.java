package dev.onceward.worker.media;

import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaFindings;
import dev.onceward.db.media.SpooledContent;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.mime.MediaType;
import org.apache.tika.mime.MediaTypeRegistry;
import org.apache.tika.mime.MimeTypes;
import org.jspecify.annotations.Nullable;

/** Looks at contents. Needs little memory, whatever they are. Thread-safe. */
final class MediaInspector {

  static final String SIZE_MISMATCH = "size_mismatch";
  static final String TYPE_MISMATCH = "type_mismatch";
  static final String IMAGE_UNREADABLE = "image_unreadable";
  static final String CONTENT_DAMAGED = "content_damaged";

  private final MimeTypes types = MimeTypes.getDefaultMimeTypes();
  private final MediaTypeRegistry registry = types.getMediaTypeRegistry();

  /**
   * Compares an upload's content with what was declared and received.
   *
   * @throws IOException if the temporary file cannot be read
   */
  Inspection inspect(Media media, SpooledContent content) throws IOException {
    Inspection own = inspect(content);
    String declared = media.declaredType();
    Long declaredSize = media.declaredSizeBytes();
    String rejection = own.rejectionCode();
    if (!HexFormat.of().formatHex(content.sha256()).equals(media.sha256())) {
      rejection = CONTENT_DAMAGED;
    } else if (declaredSize != null && declaredSize != content.sizeBytes()) {
      rejection = SIZE_MISMATCH;
    } else if (declared != null && !fits(declared, own.findings().detectedType())) {
      rejection = TYPE_MISMATCH;
    }
    return new Inspection(own.findings(), rejection);
  }

  /**
   * Looks at a content of which nothing was declared.
   *
   * @throws IOException if the temporary file cannot be read
   */
  Inspection inspect(SpooledContent content) throws IOException {
    // By content alone: with a name or a declared type as a hint Tika would believe it of anything
    // that it does not know.
    MediaType detected =
        types.detect(new BufferedInputStream(content.stream()), new Metadata()).getBaseType();
    String type = registry.normalize(detected).toString();
    try {
      ImageSize size = ImageSize.read(type, content);
      return new Inspection(findings(type, size), null);
    } catch (UnreadableImageException unreadable) {
      return new Inspection(findings(type, null), IMAGE_UNREADABLE);
    }
  }

  private static MediaFindings findings(String type, @Nullable ImageSize size) {
    return new MediaFindings(
        type, size == null ? null : size.widthPixels(), size == null ? null : size.heightPixels());
  }

  /**
   * Whether a content of the detected type can be what was declared: the same type, or a special
   * case of it that its first bytes do not tell (a table is a text). A declared {@code
   * application/octet-stream} promises nothing, a detected one proves nothing.
   */
  private boolean fits(String declared, String detected) {
    MediaType promised = MediaType.parse(declared);
    MediaType found = MediaType.parse(detected);
    if (promised == null || found == null) {
      return false;
    }
    promised = registry.normalize(promised);
    return promised.equals(found)
        || promised.equals(MediaType.OCTET_STREAM)
        || (!found.equals(MediaType.OCTET_STREAM) && registry.isSpecializationOf(promised, found));
  }
}
