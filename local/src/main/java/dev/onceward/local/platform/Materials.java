package dev.onceward.local.platform;

import com.sun.net.httpserver.HttpExchange;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/**
 * {@code GET /materials/{name}}: files to be fetched. Any name that ends with {@code .png} is an
 * image of 64 by 48 pixels, any with {@code .txt} a text; different names have different bytes and
 * one name always the same. Fails in the share that the platform's behaviour says. A read has no
 * effect, so the ledger does not hold it. Thread-safe.
 */
final class Materials {

  static final String PREFIX = "/materials/";

  private static final Pattern NAME = Pattern.compile("/materials/([A-Za-z0-9_-]+)[.](png|txt)");
  private static final int WIDTH_PIXELS = 64;
  private static final int HEIGHT_PIXELS = 48;

  private final Supplier<PlatformBehaviour> behaviour;
  private final DoubleSupplier draw;

  /**
   * @param draw from 0 to 1, anew for each call
   */
  Materials(Supplier<PlatformBehaviour> behaviour, DoubleSupplier draw) {
    this.behaviour = behaviour;
    this.draw = draw;
  }

  void handle(HttpExchange exchange) throws IOException, InterruptedException {
    PlatformBehaviour now = behaviour.get();
    if (draw.getAsDouble() < now.failureShare()) {
      SimulatorAnswers.error(exchange, now.failureStatus(), "refused, as this simulator was told");
      return;
    }
    Matcher name = NAME.matcher(exchange.getRequestURI().getPath());
    if (!name.matches()) {
      SimulatorAnswers.error(exchange, 404, "no such material: name one *.png or *.txt");
      return;
    }
    Thread.sleep(now.latency().toMillis());
    boolean image = name.group(2).equals("png");
    byte[] bytes = image ? image(name.group(1)) : text(name.group(1));
    exchange.getResponseHeaders().set("Content-Type", image ? "image/png" : "text/plain");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static byte[] text(String name) {
    return ("This is the material " + name + ".\n").repeat(20).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] image(String name) {
    BufferedImage image =
        new BufferedImage(WIDTH_PIXELS, HEIGHT_PIXELS, BufferedImage.TYPE_INT_RGB);
    byte[] letters = name.getBytes(StandardCharsets.UTF_8);
    for (int x = 0; x < WIDTH_PIXELS; x++) {
      for (int y = 0; y < HEIGHT_PIXELS; y++) {
        image.setRGB(x, y, letters[(x + y) % letters.length] * (x * y + 1));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // memory does not fail
    }
    return bytes.toByteArray();
  }
}
