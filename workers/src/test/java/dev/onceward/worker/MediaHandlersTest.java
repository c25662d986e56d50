package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.onceward.db.media.MaterialTransfer;
import dev.onceward.db.media.MaterialTransferStore;
import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaContentStore;
import dev.onceward.db.media.MediaStatus;
import dev.onceward.db.media.MediaStore;
import dev.onceward.db.media.SpooledContent;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerEnvironment;
import dev.onceward.worker.handle.MaterialRules;
import dev.onceward.worker.media.MediaHandlers;
import dev.onceward.worker.media.TestImages;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class MediaHandlersTest {

  private static final byte[] IMAGE = TestImages.of("bmp", 400, 300); // two chunks

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger fetches = new AtomicInteger();
  private volatile int failures;
  private HttpServer source;
  private WorkerWorld world;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    source = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    source.setExecutor(threads);
    source.createContext("/", this::answer);
    source.start();
    world = new WorkerWorld(server, topics, 1);
    topics.create("media", 1);
    topics.create("material_transfer", 1);
    HandlerEnvironment environment =
        new HandlerEnvironment(
            new CredentialCipher(Map.of("k1", new byte[32])),
            URI.create("http://127.0.0.1:9"),
            Duration.ofSeconds(1),
            new MaterialRules(
                1_000_000,
                Duration.ofSeconds(5),
                Set.of("127.0.0.1:" + source.getAddress().getPort())));
    world.start(List.<EventHandler>copyOf(new MediaHandlers().handlers(environment)));
  }

  @AfterEach
  void close() throws Exception {
    world.close();
    source.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (fetches.incrementAndGet() <= failures) {
        exchange.sendResponseHeaders(503, -1);
      } else if (exchange.getRequestURI().getPath().equals("/a.bmp")) {
        exchange.sendResponseHeaders(200, IMAGE.length);
        exchange.getResponseBody().write(IMAGE);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  @Test
  void what_was_declared_and_came_is_ready_and_measured() throws Exception {
    UUID id = completed("image/bmp", IMAGE.length, IMAGE);
    NewTask task = process(id);
    world.writeAndSend(task);
    world.awaitState(OperationState.SUCCEEDED, task);

    Media media = media(id);
    assertThat(media.status()).isEqualTo(MediaStatus.READY);
    assertThat(media.detectedType()).isEqualTo("image/bmp");
    assertThat(media.widthPixels()).isEqualTo(400);
    assertThat(media.heightPixels()).isEqualTo(300);
    assertThat(world.find(task).result())
        .isEqualTo(
            "{\"outcome\":\"ready\",\"media_id\":\"%s\",\"detected_type\":\"image/bmp\",\"size_bytes\":%d,\"sha256\":\"%s\",\"width_pixels\":400,\"height_pixels\":300}"
                .formatted(id, IMAGE.length, media.sha256()));
  }

  @Test
  void what_does_not_match_its_declaration_is_rejected_with_the_reason() throws Exception {
    byte[] page = "<html><script>alert(1)</script></html>".getBytes(StandardCharsets.UTF_8);
    UUID wrongType = completed("image/png", page.length, page);
    UUID wrongSize = completed("text/html", page.length + 1, page);
    NewTask first = process(wrongType);
    NewTask second = process(wrongSize);
    world.writeAndSend(first, second);
    world.awaitState(OperationState.SUCCEEDED, first, second);

    assertThat(media(wrongType).status()).isEqualTo(MediaStatus.REJECTED);
    assertThat(media(wrongType).rejectionCode()).isEqualTo("type_mismatch");
    assertThat(media(wrongSize).rejectionCode()).isEqualTo("size_mismatch");
    assertThat(world.find(first).result())
        .startsWith(
            "{\"outcome\":\"rejected\",\"media_id\":\"%s\",\"reason\":\"type_mismatch\",\"detected_type\":\"text/html\""
                .formatted(wrongType));
  }

  @Test
  void a_media_is_inspected_once_whatever_asks_again() throws Exception {
    UUID id = completed("image/bmp", IMAGE.length, IMAGE);
    NewTask first = process(id);
    world.writeAndSend(first);
    world.awaitState(OperationState.SUCCEEDED, first);
    Media before = media(id);

    NewTask again = process(id);
    world.writeAndSend(again);
    world.awaitState(OperationState.SUCCEEDED, again);

    assertThat(media(id)).isEqualTo(before);
    assertThat(world.find(again).result()).isEqualTo(world.find(first).result());
  }

  @Test
  void a_media_that_does_not_exist_is_a_permanent_failure() throws Exception {
    NewTask task = process(UUID.randomUUID());
    world.writeAndSend(task);
    world.awaitState(OperationState.FAILED, task);
    assertThat(world.find(task).lastErrorCode()).isEqualTo("MEDIA_NOT_FOUND");
  }

  @Test
  void a_material_becomes_one_media_after_the_source_has_recovered() throws Exception {
    failures = 2;
    MaterialTransfer transfer = transfer("/a.bmp");
    NewTask task = request(transfer);
    world.writeAndSend(task);
    world.awaitState(OperationState.SUCCEEDED, task);

    MaterialTransfer stored = transfer(transfer.id());
    UUID mediaId = stored.mediaId();
    assertThat(stored.status()).isEqualTo("stored");
    assertThat(mediaId).isNotNull();
    Media media = media(mediaId);
    assertThat(media.status()).isEqualTo(MediaStatus.READY);
    assertThat(media.fileName()).isEqualTo("a.bmp");
    assertThat(media.detectedType()).isEqualTo("image/bmp");
    assertThat(bytes(mediaId)).isEqualTo(IMAGE);
    assertThat(fetches).hasValue(3);
    assertThat(world.find(task).attempt()).isEqualTo(3);
    assertThat(world.find(task).result())
        .startsWith("{\"outcome\":\"stored\",\"media_id\":\"" + mediaId + "\"");
  }

  @Test
  void a_transfer_that_has_its_media_gets_no_second_one() throws Exception {
    MaterialTransfer transfer = transfer("/a.bmp");
    NewTask first = request(transfer);
    NewTask second = request(transfer);
    world.writeAndSend(first, second);
    world.awaitState(OperationState.SUCCEEDED, first, second);

    assertThat(world.find(second).result()).isEqualTo(world.find(first).result());
    assertThat(mediaCount()).isOne();
  }

  @Test
  void a_material_that_is_missing_is_a_permanent_failure_and_leaves_no_media() throws Exception {
    MaterialTransfer transfer = transfer("/missing");
    NewTask task = request(transfer);
    world.writeAndSend(task);
    world.awaitState(OperationState.FAILED, task);

    Operation failed = world.find(task);
    assertThat(failed.lastErrorCode()).isEqualTo("MATERIAL_SOURCE_REFUSED");
    assertThat(failed.attempt()).isEqualTo(1);
    assertThat(transfer(transfer.id()).status()).isEqualTo("requested");
    assertThat(mediaCount()).isZero();
  }

  @Test
  void no_temporary_file_stays_open() throws Exception {
    NewTask task = request(transfer("/a.bmp"));
    NewTask other = process(completed("image/bmp", IMAGE.length, IMAGE));
    world.writeAndSend(task, other);
    world.awaitState(OperationState.SUCCEEDED, task, other);

    await().atMost(WorkerWorld.LIMIT).until(() -> openSpools() == 0);
  }

  /** How many files without a name this process holds, as Linux shows them. */
  private static long openSpools() throws IOException {
    Path handles = Path.of("/proc/self/fd");
    long open = 0;
    try (var entries = Files.newDirectoryStream(handles)) {
      for (Path entry : entries) {
        open += isSpool(entry) ? 1 : 0;
      }
    }
    return open;
  }

  private static boolean isSpool(Path handle) {
    try {
      String target = Files.readSymbolicLink(handle).toString();
      return target.contains("onceward-") && target.contains(".spool");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  private UUID completed(String declaredType, long declaredSize, byte[] bytes)
      throws SQLException, IOException {
    try (SpooledContent content =
        SpooledContent.from(Long.MAX_VALUE, new ByteArrayInputStream(bytes))) {
      return world
          .app()
          .inWorkspace(
              world.tenant().workspaceId(),
              connection -> {
                UUID id = MediaStore.insert(connection, "a.bmp", declaredType, declaredSize).id();
                try {
                  MediaContentStore.replace(connection, id, content);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                assertThat(MediaStore.receive(connection, id, content)).isPresent();
                assertThat(MediaStore.complete(connection, id)).isPresent();
                return id;
              });
    }
  }

  private static NewTask process(UUID mediaId) {
    return NewTask.of(
        "process_media",
        NewEvent.of(
            "media.upload_completed",
            "media",
            mediaId.toString(),
            "{\"media_id\":\"" + mediaId + "\"}"));
  }

  private MaterialTransfer transfer(String path) throws SQLException {
    String url = "http://127.0.0.1:" + source.getAddress().getPort() + path;
    return world
        .app()
        .inWorkspace(
            world.tenant().workspaceId(),
            connection -> MaterialTransferStore.insert(connection, url, "a.bmp"));
  }

  private static NewTask request(MaterialTransfer transfer) {
    String id = transfer.id().toString();
    return NewTask.of(
        "transfer_material",
        NewEvent.of(
            "material.transfer_requested",
            "material_transfer",
            id,
            "{\"material_transfer_id\":\"" + id + "\"}"));
  }

  private MaterialTransfer transfer(UUID id) throws SQLException {
    return world
        .app()
        .inWorkspace(
            world.tenant().workspaceId(), connection -> MaterialTransferStore.find(connection, id))
        .orElseThrow();
  }

  private Media media(UUID id) throws SQLException {
    return world
        .app()
        .inWorkspace(world.tenant().workspaceId(), connection -> MediaStore.find(connection, id))
        .orElseThrow();
  }

  private int mediaCount() throws SQLException {
    return world
        .app()
        .inWorkspace(
            world.tenant().workspaceId(), connection -> MediaStore.list(connection, null, 100))
        .size();
  }

  private byte[] bytes(UUID id) throws SQLException {
    return world
        .app()
        .inWorkspace(
            world.tenant().workspaceId(),
            connection -> {
              ByteArrayOutputStream bytes = new ByteArrayOutputStream();
              try {
                MediaContentStore.copyTo(connection, id, bytes);
              } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
              }
              return bytes.toByteArray();
            });
  }
}
