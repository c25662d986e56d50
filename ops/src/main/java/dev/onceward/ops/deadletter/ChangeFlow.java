package dev.onceward.ops.deadletter;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.change.Terminal;
import dev.onceward.ops.show.Progress;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What redriving and discarding have in common: choose, show, ask, lock, record, do, tell. Confined
 * to the command's thread.
 */
final class ChangeFlow {

  private final CommandSpec spec;
  private final OpsOptions options;
  private final ChangeOptions change;

  ChangeFlow(CommandSpec spec, OpsOptions options, ChangeOptions change) {
    this.spec = spec;
    this.options = options;
    this.change = change;
  }

  /**
   * @param act {@code redriven} or {@code discarded}
   * @param reason of a discard, else null
   */
  int run(Targets targets, String act, @Nullable String reason, RecordedChange.Work work)
      throws SQLException {
    DeadLetterActStore.Command command =
        new DeadLetterActStore.Command(UUID.randomUUID(), act, reason, change.operator());
    try (DeadLetters letters = DeadLetters.open(options, OpsOptions.WRITING_ROLE)) {
      List<DeadLetter> chosen = targets.select(letters);
      letters.connection().rollback(); // nothing is held while somebody thinks
      CauseGroups groups = new CauseGroups();
      chosen.forEach(groups::add);
      if (change.isDryRun()) {
        tell(act, new Report(true, null, counts(chosen), groups.groups(), List.of()));
        change.sayDryRun();
        return ExitCode.OK.number();
      }
      change.confirm(text(counts(chosen)) + " of the dead letters will be " + act);
      Outcome outcome;
      try (Progress progress =
          Progress.of(
              Terminal.ofProcess(),
              spec.commandLine().getErr(),
              "Working",
              "dead letters",
              chosen.size())) {
        outcome =
            new RecordedChange(letters, command, change::start, progress).perform(chosen, work);
      }
      tell(
          act,
          new Report(
              false, command.replayId(), outcome.counts(), groups.groups(), outcome.refused()));
      return outcome.refused().isEmpty() ? ExitCode.OK.number() : ExitCode.FAILURE.number();
    }
  }

  /**
   * What was, or would be, done.
   *
   * @param replayId of the command; null for a dry run
   * @param changed how many of each kind
   * @param groups of all that were chosen
   * @param refused those that stay as they were
   */
  record Report(
      boolean dryRun,
      @Nullable UUID replayId,
      Map<String, Long> changed,
      List<CauseGroups.Group> groups,
      List<Outcome.Refused> refused) {}

  private void tell(String act, Report report) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
    } else {
      GroupDeadLetters.print(report.groups(), out);
      out.println((report.dryRun() ? "would be " : "") + act + ": " + text(report.changed()));
      if (report.replayId() != null) {
        out.println("replay id: " + report.replayId());
      }
      for (Outcome.Refused refused : report.refused()) {
        out.println(
            "not " + act + ": " + refused.kind() + " " + refused.id() + ": " + refused.why());
      }
    }
    out.flush();
  }

  static Map<String, Long> counts(List<DeadLetter> letters) {
    return letters.stream()
        .collect(
            Collectors.groupingBy(
                letter -> letter.kind().label(), TreeMap::new, Collectors.counting()));
  }

  private static String text(Map<String, Long> counts) {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    return all
        + counts.entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue())
            .collect(Collectors.joining(", ", " (", ")"))
            .replace(" ()", "");
  }
}
