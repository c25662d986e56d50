package dev.onceward.api.media;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;

/** Sends and reads files with a client's access key. */
final class MediaWorld {
  private final TestApi api;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  MediaWorld(TestApi api) {
    this.api = api;
  }

  /** Bytes that no two seeds share. */
  static byte[] bytes(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** How many rows each table gained since then; tables that are as before are left out. */
  Map<String, Long> gained(Map<String, Long> before) throws SQLException {
    Map<String, Long> gained = api.allRows();
    gained.replaceAll((table, rows) -> rows - before.getOrDefault(table, 0L));
    gained.values().removeIf(rows -> rows == 0);
    return gained;
  }

  static String registration(int size) {
    return """
        {"file_name":"a file.bin","declared_type":"application/octet-stream","declared_size_bytes":%d}"""
        .formatted(size);
  }

  String register(TestClient client, int size) {
    return client.post("/v1/media", registration(size)).expect(201).json().get("id").asText();
  }

  Reply put(TestClient client, String id, byte[] content, String... headers) throws Exception {
    return put(client, id, BodyPublishers.ofByteArray(content), headers);
  }

  Reply put(TestClient client, String id, BodyPublisher content, String... headers)
      throws Exception {
    HttpRequest.Builder request = request(client, "/v1/media/" + id + "/content").PUT(content);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return new Reply(http.send(request.build(), BodyHandlers.ofString()));
  }

  HttpResponse<byte[]> download(TestClient client, String id, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(client, "/v1/media/" + id + "/content").GET();
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), BodyHandlers.ofByteArray());
  }

  JsonNode complete(TestClient client, String id) {
    return client.post("/v1/media/" + id + "/complete", "{}").expect(202).json();
  }

  /** Registered, sent and completed. */
  String completed(TestClient client, byte[] content) throws Exception {
    String id = register(client, content.length);
    put(client, id, content).expect(200);
    complete(client, id);
    return id;
  }

  /** As the worker does when it finds what was declared. */
  void makeReady(String id) throws SQLException {
    api.sql(
        "UPDATE onceward.media SET status = 'ready', detected_type = declared_type WHERE id = '%s'"
            .formatted(id));
  }

  private HttpRequest.Builder request(TestClient client, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
        .header("Authorization", "Bearer " + client.accessKey());
  }
}
