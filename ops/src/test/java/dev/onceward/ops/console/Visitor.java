package dev.onceward.ops.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Somebody who looks at the console without a browser; keeps cookies and follows nothing. */
final class Visitor {
  static final String OPERATOR = "onceward_ops";
  static final String READER = "onceward_ops_read";

  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

  private final URI console;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, String> cookies = new HashMap<>();

  Visitor(URI console) {
    this.console = console;
  }

  static Visitor signedIn(RunningConsole console, String user) throws Exception {
    Visitor visitor = new Visitor(console.address());
    assertThat(visitor.signIn(user, MigratedDatabase.PASSWORD).statusCode()).isEqualTo(303);
    return visitor;
  }

  HttpResponse<String> signIn(String user, String password) throws Exception {
    String token = csrf(get("/sign-in"));
    return post("/sign-in", "csrf", token, "user", user, "password", password);
  }

  HttpResponse<String> get(String path, String... headers) throws Exception {
    return send(request(path, headers).GET().build());
  }

  /** A form with the token of the page that it stands on. */
  HttpResponse<String> postFrom(HttpResponse<String> page, String path, String... fields)
      throws Exception {
    String[] all = new String[fields.length + 2];
    all[0] = "csrf";
    all[1] = csrf(page);
    System.arraycopy(fields, 0, all, 2, fields.length);
    return post(path, all);
  }

  HttpResponse<String> post(String path, String... fields) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form(fields)))
            .build());
  }

  HttpResponse<String> postWithHeaders(String path, List<String> headers, String... fields)
      throws Exception {
    return send(
        request(path, headers.toArray(String[]::new))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form(fields)))
            .build());
  }

  Map<String, String> cookies() {
    return cookies;
  }

  static String csrf(HttpResponse<String> page) {
    Matcher matcher = CSRF.matcher(page.body());
    assertThat(matcher.find()).as("a form in %s", page.body()).isTrue();
    return matcher.group(1);
  }

  /** The value of a hidden field. */
  static String hidden(HttpResponse<String> page, String name) {
    Matcher matcher =
        Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page.body());
    assertThat(matcher.find()).as("field %s in %s", name, page.body()).isTrue();
    return matcher.group(1);
  }

  /** Where it leads to. */
  static String location(HttpResponse<String> answer) {
    return answer.headers().firstValue("Location").orElse("no location in " + answer.body());
  }

  /** Looks again until the text is there. */
  void awaitContains(String path, String text) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(get(path).body()).contains(text));
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(console.resolve(path));
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(one -> one.getKey() + "=" + one.getValue())
              .collect(Collectors.joining("; ")));
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request;
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    for (String cookie : answer.headers().allValues("Set-Cookie")) {
      String[] pair = cookie.split(";", 2)[0].split("=", 2);
      if (cookie.contains("Max-Age=0")) {
        cookies.remove(pair[0]);
      } else {
        cookies.put(pair[0], pair[1]);
      }
    }
    return answer;
  }

  private static String form(String... fields) {
    return IntStream.range(0, fields.length / 2)
        .mapToObj(i -> fields[2 * i] + "=" + URLEncoder.encode(fields[2 * i + 1], UTF_8))
        .collect(Collectors.joining("&"));
  }
}
