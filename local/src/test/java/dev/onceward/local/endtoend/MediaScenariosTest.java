package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.platform.PlatformBehaviour;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uploads and material transfers, through the whole pipeline. */
@ExtendWith(ClusterExtension.class)
final class MediaScenariosTest {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private final String name = "media-" + UUID.randomUUID();
  private LocalCluster cluster;
  private ApiClient client;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
  }

  @Test
  void an_upload_is_inspected_once_whatever_the_client_repeats() throws Exception {
    byte[] image = material("upload.png");
    String id = upload("image/png", image);

    ApiAnswer first = client.post("/v1/media/" + id + "/complete", name, "{}");
    ApiAnswer again = client.post("/v1/media/" + id + "/complete", name, "{}");
    ApiAnswer changed = client.post("/v1/media/" + id + "/complete", name, "{\"x\":1}");
    ApiAnswer second = client.post("/v1/media/" + id + "/complete", name + "-2", "{}");
    JsonNode operation = succeeded(first);

    assertThat(first.status()).as("%s", first.text()).isEqualTo(202);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.replayed()).isTrue();
    assertThat(changed.problemCode()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    assertThat(second.problemCode()).isEqualTo("MEDIA_ALREADY_COMPLETED");
    assertThat(operation.at("/result/outcome").asText()).isEqualTo("ready");
    JsonNode media = client.get("/v1/media/" + id).json();
    assertThat(media.path("status").asText()).isEqualTo("ready");
    assertThat(media.path("width_pixels").asInt()).isEqualTo(64);
    assertThat(media.path("height_pixels").asInt()).isEqualTo(48);
    assertThat(client.getBytes("/v1/media/" + id + "/content")).isEqualTo(image);
  }

  @Test
  void an_upload_that_is_not_what_it_says_is_rejected() throws Exception {
    String id = upload("image/png", material("no-image.txt"));

    JsonNode operation = succeeded(client.post("/v1/media/" + id + "/complete", name, "{}"));

    assertThat(operation.at("/result/reason").asText()).isEqualTo("type_mismatch");
    assertThat(client.get("/v1/media/" + id).json().path("rejection_code").asText())
        .isEqualTo("type_mismatch");
    assertThat(client.get("/v1/media/" + id + "/content").problemCode())
        .isEqualTo("MEDIA_NOT_READY");
  }

  @Test
  void a_material_becomes_one_media_though_its_source_fails_at_first() throws Exception {
    cluster.platform().behave(PlatformBehaviour.NORMAL.withFailures(1.0, 503));
    String body = "{\"source_url\":\"%s\",\"file_name\":\"a.png\"}".formatted(url(name + ".png"));

    ApiAnswer first = client.post("/v1/material-transfers", name, body);
    ApiAnswer again = client.post("/v1/material-transfers", name, body);
    ApiAnswer changed = client.post("/v1/material-transfers", name, body.replace("a.png", "b.png"));
    await()
        .atMost(ANSWER_LIMIT)
        .until(
            () ->
                client
                    .get("/v1/operations/" + first.operationId())
                    .json()
                    .at("/last_error/code")
                    .asText()
                    .equals("MATERIAL_SOURCE_UNAVAILABLE"));
    cluster.platform().behave(PlatformBehaviour.NORMAL);
    JsonNode operation = succeeded(first);

    assertThat(again.text()).isEqualTo(first.text());
    assertThat(changed.problemCode()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    String transferId = first.json().at("/material_transfer/id").asText();
    JsonNode transfer = client.get("/v1/material-transfers/" + transferId).json();
    assertThat(transfer.path("status").asText()).isEqualTo("stored");
    String mediaId = transfer.path("media_id").asText();
    assertThat(operation.at("/result/media_id").asText()).isEqualTo(mediaId);
    assertThat(client.getBytes("/v1/media/" + mediaId + "/content"))
        .isEqualTo(material(name + ".png"));
    String digest = operation.at("/result/sha256").asText();
    assertThat(client.get("/v1/media?limit=200").json().findValuesAsText("sha256"))
        .containsOnlyOnce(digest);
  }

  @Test
  void a_material_inside_our_own_network_is_not_fetched() throws Exception {
    String inside = cluster.apiUrl().resolve("/health/live").toString();

    ApiAnswer asked =
        client.post("/v1/material-transfers", name, "{\"source_url\":\"%s\"}".formatted(inside));

    JsonNode operation = client.operation(asked.operationId(), ANSWER_LIMIT).json();
    assertThat(operation.path("state").asText()).isEqualTo("failed");
    assertThat(operation.at("/last_error/code").asText()).isEqualTo("MATERIAL_ADDRESS_REFUSED");
  }

  private String upload(String declaredType, byte[] content) throws Exception {
    ApiAnswer registered =
        client.post(
            "/v1/media",
            name,
            "{\"declared_type\":\"%s\",\"declared_size_bytes\":%d}"
                .formatted(declaredType, content.length));
    assertThat(registered.status()).as("%s", registered.text()).isEqualTo(201);
    String id = registered.json().path("id").asText();
    byte[] firstTry = Arrays.copyOf(content, content.length / 2);
    assertThat(client.put("/v1/media/" + id + "/content", firstTry).status()).isEqualTo(200);
    assertThat(client.put("/v1/media/" + id + "/content", content).status()).isEqualTo(200);
    return id;
  }

  private JsonNode succeeded(ApiAnswer accepted) throws Exception {
    JsonNode operation = client.operation(accepted.operationId(), ANSWER_LIMIT).json();
    assertThat(operation.path("state").asText()).as("%s", operation).isEqualTo("succeeded");
    return operation;
  }

  private URI url(String material) {
    return cluster.platform().url().resolve("/materials/" + material);
  }

  private byte[] material(String material) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(url(material)).build(), BodyHandlers.ofByteArray())
        .body();
  }
}
