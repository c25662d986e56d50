package dev.onceward.ops.console;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * Takes the pictures of docs/console.md from a console that runs already; docs/console.md says how.
 * No test by its name: nothing runs it by itself.
 */
final class ConsoleScreenshots {

  @Test
  void pictures_are_taken_in_light_and_dark(@TempDir Path profile) throws Exception {
    String console = setting("console");
    Path directory = Path.of(setting("directory"));
    Files.createDirectories(directory);
    ChromeDriver browser = Chromium.start(profile, "--hide-scrollbars");
    try {
      // The page's own size: what a window takes for its frame differs between versions.
      browser.executeCdpCommand(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", 1280, "height", 867, "deviceScaleFactor", 1, "mobile", false));
      browser.get(console + "/sign-in");
      browser.findElement(By.id("user")).sendKeys(setting("user"));
      browser.findElement(By.id("password")).sendKeys(setting("password") + Keys.ENTER);
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> !browser.findElements(By.id("live")).isEmpty());
      for (String scheme : List.of("light", "dark")) {
        browser.executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        browser.get(console + "/");
        Awaitility.await()
            .atMost(Duration.ofSeconds(20))
            .until(() -> browser.findElements(By.cssSelector(".chart canvas")).size() == 2);
        Awaitility.await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
        take(browser, directory.resolve("overview-" + scheme + ".png"));
        take(browser, console + "/events", directory.resolve("events-" + scheme + ".png"));
        String event =
            Objects.requireNonNull(
                browser.findElement(By.cssSelector("tbody a.id")).getDomAttribute("href"));
        take(browser, console + event, directory.resolve("life-" + scheme + ".png"));
        take(
            browser,
            console + "/dead-letters",
            directory.resolve("dead-letters-" + scheme + ".png"));
        browser.get(console + "/replays");
        String replay =
            Objects.requireNonNull(
                browser.findElement(By.cssSelector("tbody a.id")).getDomAttribute("href"));
        take(browser, console + replay, directory.resolve("replay-" + scheme + ".png"));
      }
    } finally {
      browser.quit();
    }
  }

  private static void take(ChromeDriver browser, String page, Path file) throws Exception {
    browser.get(page);
    take(browser, file);
  }

  private static void take(ChromeDriver browser, Path file) throws Exception {
    Files.write(file, browser.getScreenshotAs(OutputType.BYTES));
  }

  private static String setting(String name) {
    String key = "onceward.screenshots." + name;
    return Objects.requireNonNull(System.getProperty(key), "set -D" + key);
  }
}
