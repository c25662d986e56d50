package dev.onceward.ops.console.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.ops.console.http.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Scripts, styles and the icon, all from the class path. Immutable. */
public final class Assets {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";
  private static final int VERSION_BYTES = 6;

  private static final Map<String, Asset> BY_NAME = load();

  private Assets() {}

  private record Asset(String contentType, String text, String version) {}

  /** Its address, which changes with its content. */
  public static String url(String name) {
    Asset asset = BY_NAME.get(name);
    if (asset == null) {
      throw new IllegalArgumentException("no such asset: " + name);
    }
    return "/assets/" + name + "?v=" + asset.version;
  }

  /** It as an answer; null if there is none of that name. */
  public static @Nullable Reply reply(String name) {
    Asset asset = BY_NAME.get(name);
    return asset == null
        ? null
        : new Reply(
            200,
            asset.contentType,
            asset.text,
            Map.of("Cache-Control", "public, max-age=31536000, immutable"),
            List.of());
  }

  private static Map<String, Asset> load() {
    Map<String, Asset> assets = new LinkedHashMap<>();
    add(assets, "console.css", STYLE, ours("console.css"));
    add(assets, "console.js", SCRIPT, ours("console.js"));
    add(assets, "icon.svg", "image/svg+xml", ours("icon.svg"));
    add(assets, "htmx.min.js", SCRIPT, packaged("htmx.org", "dist/htmx.min.js"));
    add(assets, "uPlot.iife.min.js", SCRIPT, packaged("uplot", "dist/uPlot.iife.min.js"));
    add(assets, "uPlot.min.css", STYLE, packaged("uplot", "dist/uPlot.min.css"));
    return Map.copyOf(assets);
  }

  private static void add(Map<String, Asset> assets, String name, String contentType, String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      assets.put(
          name, new Asset(contentType, text, HexFormat.of().formatHex(digest, 0, VERSION_BYTES)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  private static String ours(String name) {
    return read("/dev/onceward/ops/console/page/" + name);
  }

  private static String packaged(String module, String file) {
    Properties known = new Properties();
    try (InputStream in = open("/META-INF/maven/org.webjars.npm/" + module + "/pom.properties")) {
      known.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read(
        "/META-INF/resources/webjars/" + module + "/" + known.getProperty("version") + "/" + file);
  }

  private static String read(String resource) {
    try (InputStream in = open(resource)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String resource) {
    InputStream in = Assets.class.getResourceAsStream(resource);
    if (in == null) {
      throw new IllegalStateException("not on the class path: " + resource);
    }
    return in;
  }
}
