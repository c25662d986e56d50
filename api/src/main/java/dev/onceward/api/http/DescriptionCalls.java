package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * {@code /openapi.yaml}, and {@code /docs} to read it: a page whose every part is served from here,
 * so that it works without the internet. Thread-safe.
 */
public final class DescriptionCalls {
  private static final String UI = "swagger-ui";

  /** Nothing from elsewhere is loaded, and nobody may frame the page. */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final Answer description = answer("application/yaml", ours("openapi.yaml"));
  private final Answer page =
      answer("text/html; charset=utf-8", ours("docs.html"))
          .withHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  private final Map<String, Answer> assets =
      Map.of(
          "page.js", answer("text/javascript; charset=utf-8", ours("docs-page.js")),
          "swagger-ui.css", answer("text/css; charset=utf-8", ui("swagger-ui.css")),
          "swagger-ui-bundle.js",
              answer("text/javascript; charset=utf-8", ui("swagger-ui-bundle.js")));

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.open("/openapi.yaml", request -> description),
        Route.open("/docs", request -> page),
        Route.open("/docs/{asset}", request -> asset(request.pathParameter("asset"))));
  }

  private Answer asset(String name) {
    Answer found = assets.get(name);
    if (found == null) {
      throw Problem.of(ProblemCode.NOT_FOUND, "The page has no such part.").exception();
    }
    return found;
  }

  private static Answer answer(String contentType, String text) {
    return new Answer(
        200, Map.of("Content-Type", contentType, "X-Content-Type-Options", "nosniff"), text);
  }

  private static String ours(String name) {
    return read("/dev/onceward/api/http/" + name);
  }

  private static String ui(String name) {
    Properties packaged = new Properties();
    try (InputStream in = open("/META-INF/maven/org.webjars/" + UI + "/pom.properties")) {
      packaged.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = packaged.getProperty("version");
    return read("/META-INF/resources/webjars/" + UI + "/" + version + "/" + name);
  }

  private static String read(String resource) {
    try (InputStream in = open(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String resource) {
    InputStream in = DescriptionCalls.class.getResourceAsStream(resource);
    if (in == null) {
      throw new IllegalStateException("not on the class path: " + resource);
    }
    return in;
  }
}
