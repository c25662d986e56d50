package dev.onceward.embedded.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Notes which failure cases a passed test stands for: a line {@code S41 class#method} for each of
 * its tags. {@code faults/report} makes the document of them. JUnit finds this by itself.
 *
 * <p>System property: {@code onceward.failure-cases} (a file that is appended to, by several JVMs
 * at once; without it nothing is noted).
 */
public final class FailureCaseReport implements TestWatcher {
  private static final Pattern TAG = Pattern.compile("S[0-9]{2}");

  /** For JUnit. */
  public FailureCaseReport() {}

  @Override
  public void testSuccessful(ExtensionContext context) {
    String report = System.getProperty("onceward.failure-cases", "");
    if (report.isEmpty()) {
      return;
    }
    String test =
        context.getRequiredTestClass().getName() + "#" + context.getRequiredTestMethod().getName();
    for (String tag : context.getTags()) {
      if (TAG.matcher(tag).matches()) {
        append(Path.of(report), tag + " " + test);
      }
    }
  }

  private static void append(Path report, String line) {
    try {
      Files.createDirectories(report.toAbsolutePath().getParent());
      Files.writeString(
          report,
          line + System.lineSeparator(),
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
