package dev.onceward.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MediaContentTest {
  private static final int MAX = 1_000_000;

  private final MigratedDatabase database;
  private final TestApi api;
  private final MediaWorld world;
  private TestClient client;

  MediaContentTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database, Map.of("onceward.api.max-media-bytes", Integer.toString(MAX)));
    world = new MediaWorld(api);
    client = api.newClient();
  }

  @BeforeEach
  void newWorkspace() throws SQLException {
    client = api.newClient();
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void what_was_sent_is_read_back_byte_for_byte_as_a_harmless_attachment() throws Exception {
    byte[] content = MediaWorld.bytes(MAX, 1);
    String id = world.completed(client, content);
    world.makeReady(id);

    HttpResponse<byte[]> read = world.download(client, id, "Accept", "image/*");

    assertThat(read.statusCode()).isEqualTo(200);
    assertThat(read.body()).isEqualTo(content);
    assertThat(read.headers().map())
        .containsEntry("x-content-type-options", java.util.List.of("nosniff"))
        .containsEntry(
            "content-disposition", java.util.List.of("attachment; filename*=UTF-8''a%20file.bin"))
        .containsEntry("content-type", java.util.List.of("application/octet-stream"))
        .containsEntry("content-length", java.util.List.of(Integer.toString(MAX)))
        .containsEntry("content-security-policy", java.util.List.of("default-src 'none'; sandbox"))
        .containsEntry(
            "content-digest",
            java.util.List.of(
                "sha-256=:"
                    + Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-256").digest(content))
                    + ":"));
    assertThat(client.send("HEAD", "/v1/media/" + id + "/content", null).status()).isEqualTo(200);
  }

  @Test
  void only_the_content_of_a_ready_media_is_read() throws Exception {
    byte[] content = MediaWorld.bytes(10, 2);
    String id = world.register(client, content.length);
    client.get("/v1/media/" + id + "/content").expectProblem(409, "MEDIA_NOT_READY");
    world.put(client, id, content).expect(200);
    client.get("/v1/media/" + id + "/content").expectProblem(409, "MEDIA_NOT_READY");
    world.complete(client, id);
    client.get("/v1/media/" + id + "/content").expectProblem(409, "MEDIA_NOT_READY");
    api.sql(
        "UPDATE onceward.media SET status = 'rejected', detected_type = 'text/html', rejection_code = 'type_mismatch' WHERE id = '%s'"
            .formatted(id));
    client.get("/v1/media/" + id + "/content").expectProblem(409, "MEDIA_NOT_READY");
  }

  @Test
  void content_is_replaced_until_the_upload_is_completed() throws Exception {
    byte[] large = MediaWorld.bytes(700_000, 3);
    byte[] small = MediaWorld.bytes(300_000, 4);
    String id = world.register(client, small.length);
    world.put(client, id, large).expect(200);
    JsonNode first = world.put(client, id, small).expect(200).json();
    JsonNode again = world.put(client, id, small).expect(200).json();
    assertThat(again).isEqualTo(first);
    world.complete(client, id);

    Map<String, Long> before = api.allRows();
    world.put(client, id, large).expectProblem(409, "MEDIA_ALREADY_COMPLETED");
    assertThat(world.put(client, id, small).expect(200).json().get("status").asText())
        .isEqualTo("processing");
    assertThat(api.allRows()).isEqualTo(before);

    world.makeReady(id);
    assertThat(world.download(client, id).body()).isEqualTo(small);
  }

  @Test
  void content_past_the_limit_is_refused_with_and_without_a_length() throws Exception {
    byte[] tooLarge = MediaWorld.bytes(MAX + 1, 5);
    String id = world.register(client, MAX);
    Map<String, Long> before = api.allRows();

    world.put(client, id, tooLarge).expectProblem(413, "BODY_TOO_LARGE");
    world
        .put(client, id, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooLarge)))
        .expectProblem(413, "BODY_TOO_LARGE");

    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void what_is_no_plain_file_is_refused() throws Exception {
    byte[] content = MediaWorld.bytes(10, 6);
    String id = world.register(client, content.length);
    Map<String, Long> before = api.allRows();

    world.put(client, id, new byte[0]).expectProblem(400, "BODY_REQUIRED");
    world
        .put(client, id, content, "Content-Type", "multipart/form-data; boundary=x")
        .expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
    world
        .put(client, id, content, "Content-Encoding", "gzip")
        .expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
    world
        .put(client, id, content, "Content-Range", "bytes 0-9/20")
        .expectProblem(400, "HEADER_INVALID");

    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void a_client_that_breaks_off_leaves_nothing() throws Exception {
    String id = world.register(client, 1_000);
    Map<String, Long> before = api.allRows();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      socket
          .getOutputStream()
          .write(
              ("PUT /v1/media/"
                      + id
                      + "/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                      + client.accessKey()
                      + "\r\nContent-Length: 1000\r\n\r\nonly this")
                  .getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 4");
    }
    assertThat(api.allRows()).isEqualTo(before);
    assertThat(client.get("/v1/media/" + id).expect(200).json().get("status").asText())
        .isEqualTo("awaiting_content");
  }

  @Test
  void a_body_that_cannot_be_read_to_its_end_is_broken_off_visibly() throws Exception {
    String id = world.completed(client, MediaWorld.bytes(900_000, 8));
    world.makeReady(id);
    api.sql("DELETE FROM onceward.media_chunks WHERE media_id = '%s' AND number = 2".formatted(id));

    assertThatThrownBy(() -> world.download(client, id)).isInstanceOf(IOException.class);
  }
}
