package dev.onceward.worker.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaStatus;
import dev.onceward.db.media.SpooledContent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaInspectorTest {

  private final MediaInspector inspector = new MediaInspector();

  @ParameterizedTest
  @CsvSource({
    "png, image/png",
    "jpeg, image/jpeg",
    "gif, image/gif",
    "bmp, image/bmp",
  })
  void an_image_is_told_by_its_content_and_measured(String format, String type) throws Exception {
    Inspection inspection = inspect(TestImages.of(format, 31, 17), type);

    assertThat(inspection.rejectionCode()).isNull();
    assertThat(inspection.findings().detectedType()).isEqualTo(type);
    assertThat(inspection.findings().widthPixels()).isEqualTo(31);
    assertThat(inspection.findings().heightPixels()).isEqualTo(17);
  }

  @Test
  void an_image_that_would_unpack_to_gigabytes_is_measured_without_unpacking() throws Exception {
    byte[] image = TestImages.of("png", 1, 1);
    ByteBuffer header = ByteBuffer.wrap(image);
    header.putInt(16, 60_000).putInt(20, 60_000);
    CRC32 check = new CRC32();
    check.update(image, 12, 17);
    header.putInt(29, (int) check.getValue());

    Inspection inspection = inspect(image, "image/png");

    assertThat(inspection.rejectionCode()).isNull();
    assertThat(inspection.findings().widthPixels()).isEqualTo(60_000);
    assertThat(inspection.findings().heightPixels()).isEqualTo(60_000);
  }

  @ParameterizedTest
  @CsvSource({"png", "jpeg", "gif"})
  void an_image_with_a_broken_header_is_rejected(String format) throws Exception {
    byte[] beginning = Arrays.copyOf(TestImages.of(format, 31, 17), 9);

    Inspection inspection = inspect(beginning, "image/" + format);

    assertThat(inspection.rejectionCode()).isEqualTo(MediaInspector.IMAGE_UNREADABLE);
    assertThat(inspection.findings().widthPixels()).isNull();
  }

  @Test
  void a_truncated_png_is_no_image() throws Exception {
    byte[] beginning = Arrays.copyOf(TestImages.of("png", 31, 17), 12);

    assertThat(inspect(beginning, "image/png").rejectionCode())
        .isEqualTo(MediaInspector.IMAGE_UNREADABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/plain | hello | ",
        "TEXT/plain | hello | ",
        "text/csv | a,b | ",
        "application/octet-stream | hello | ",
        "application/json | {\"a\":1} | ",
        "image/png | hello | type_mismatch",
        "video/mp4 | hello | type_mismatch",
        "text/plain | <!DOCTYPE html><html><body><script>alert(1)</script></body></html> | type_mismatch",
        "image/png | <?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/> | type_mismatch",
        "image/svg+xml | <?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/> | ",
        "application/zip | %PDF-1.7 | type_mismatch",
        "application/pdf | %PDF-1.7 | ",
      })
  void a_declared_type_must_fit_the_content(String declared, String content, String rejection)
      throws Exception {
    assertThat(inspect(content.getBytes(StandardCharsets.UTF_8), declared).rejectionCode())
        .isEqualTo(rejection);
  }

  @Test
  void bytes_that_nobody_knows_prove_no_type() throws Exception {
    byte[] unknown = new byte[100];
    Arrays.fill(unknown, (byte) 0x9d);
    assertThat(inspect(unknown, "image/png").rejectionCode())
        .isEqualTo(MediaInspector.TYPE_MISMATCH);
    assertThat(inspect(unknown, "application/octet-stream").rejectionCode()).isNull();
  }

  @Test
  void size_and_digest_are_counted_anew() throws Exception {
    byte[] content = "hello".getBytes(StandardCharsets.UTF_8);
    try (SpooledContent spooled = spool(content)) {
      String digest = HexFormat.of().formatHex(spooled.sha256());
      assertThat(inspector.inspect(media("text/plain", 6, digest), spooled).rejectionCode())
          .isEqualTo(MediaInspector.SIZE_MISMATCH);
      assertThat(
              inspector
                  .inspect(media("text/plain", 5, digest.replace('a', 'b')), spooled)
                  .rejectionCode())
          .isEqualTo(MediaInspector.CONTENT_DAMAGED);
    }
  }

  private Inspection inspect(byte[] content, String declared) throws IOException {
    try (SpooledContent spooled = spool(content)) {
      String digest = HexFormat.of().formatHex(spooled.sha256());
      return inspector.inspect(media(declared, content.length, digest), spooled);
    }
  }

  private static SpooledContent spool(byte[] content) throws IOException {
    return SpooledContent.from(1_000_000, new ByteArrayInputStream(content));
  }

  private static Media media(String declaredType, long declaredSize, String sha256) {
    return new Media(
        UUID.randomUUID(),
        null,
        declaredType,
        declaredSize,
        MediaStatus.PROCESSING,
        declaredSize,
        sha256,
        null,
        null,
        null,
        null,
        Instant.EPOCH,
        Instant.EPOCH);
  }
}
