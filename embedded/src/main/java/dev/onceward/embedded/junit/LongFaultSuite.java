package dev.onceward.embedded.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes the long suite resumable. What has passed is written to a journal, one line each, and
 * skipped from then on; once the run's time is over, no further test begins and the next run goes
 * on from there. Delete the journal to run all again.
 *
 * <p>System properties: {@code onceward.faults.journal} (a file; without it every test runs), and
 * {@code onceward.faults.until} (milliseconds since 1970: when the last test may begin).
 */
final class LongFaultSuite implements ExecutionCondition, AfterTestExecutionCallback {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<Path> journal = journal();
    if (context.getTestMethod().isEmpty() || journal.isEmpty()) {
      return ConditionEvaluationResult.enabled("not a test of a journal's run");
    }
    if (passed(journal.get(), name(context))) {
      return ConditionEvaluationResult.disabled("passed already, says " + journal.get());
    }
    Long until = Long.getLong("onceward.faults.until");
    if (until != null && Instant.now().toEpochMilli() > until) {
      return ConditionEvaluationResult.disabled("this run's time is over; run the suite again");
    }
    return ConditionEvaluationResult.enabled("not passed yet");
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isEmpty()) {
      journal().ifPresent(journal -> append(journal, name(context)));
    }
  }

  private static Optional<Path> journal() {
    return Optional.ofNullable(System.getProperty("onceward.faults.journal"))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }

  private static String name(ExtensionContext context) {
    return context.getRequiredTestClass().getName()
        + "#"
        + context.getRequiredTestMethod().getName();
  }

  private static boolean passed(Path journal, String name) {
    try {
      return Files.exists(journal)
          && Files.readAllLines(journal, StandardCharsets.UTF_8).contains(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void append(Path journal, String name) {
    try {
      Files.createDirectories(journal.toAbsolutePath().getParent());
      Files.writeString(
          journal,
          name + System.lineSeparator(),
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
