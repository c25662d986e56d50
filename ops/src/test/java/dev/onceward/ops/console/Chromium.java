package dev.onceward.ops.console;

import dev.onceward.embedded.junit.Needed;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real browser without a screen. */
final class Chromium {
  private static final List<String> BROWSERS =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final List<String> DRIVERS =
      List.of("/usr/bin/chromedriver", "/usr/lib/chromium-browser/chromedriver");

  private Chromium() {}

  /**
   * Starts it, or skips the test where {@code onceward.test.browser=none} says so.
   *
   * @param profile a new directory
   */
  static ChromeDriver start(Path profile, String... more) {
    Needed.require(
        !"none".equals(System.getProperty("onceward.test.browser")),
        "a browser (onceward.test.browser=none says that there is to be none)");
    String browser = present(BROWSERS);
    String driver = present(DRIVERS);
    if (browser == null || driver == null) {
      throw new AssertionError(
          "Chromium or its driver is missing: install them (Debian: apt-get install chromium"
              + " chromium-driver), or leave the browser's tests out with"
              + " -Donceward.test.browser=none");
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--lang=en",
        "--window-size=1280,900",
        "--user-data-dir=" + profile);
    options.addArguments(more);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    return new ChromeDriver(
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File(driver))
            .usingAnyFreePort()
            .build(),
        options);
  }

  private static @org.jspecify.annotations.Nullable String present(List<String> paths) {
    return paths.stream()
        .filter(path -> Files.isExecutable(Path.of(path)))
        .findFirst()
        .orElse(null);
  }
}
