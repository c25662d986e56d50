package dev.onceward.ops.deadletter;

import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which dead letters a command changes. Confined to the command's thread. */
final class Targets {

  @Parameters(
      arity = "0..*",
      paramLabel = "ID",
      description = "An operation, an event, or topic/partition/topic-offset of a record.")
  private List<String> ids = new ArrayList<>();

  @Mixin private DeadLetterFilter filter = new DeadLetterFilter();

  @Option(names = "--all", description = "All dead letters (of the kinds named, if any is).")
  private boolean all;

  /** Refuses a command line that does not say exactly what is meant. */
  void check(CommandSpec spec) {
    filter.check(spec);
    if (!ids.isEmpty() && (all || !filter.isEmpty())) {
      throw new ParameterException(spec.commandLine(), "Give ids or a filter, not both");
    }
    if (all && !filter.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "Give --all or a filter, not both");
    }
    if (ids.isEmpty() && !all && filter.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "Say which: ids, --group, another filter, or --all for every dead letter");
    }
  }

  /**
   * What is meant and may be changed.
   *
   * @throws StartupException if an id means none or one that may not be changed, or nothing matches
   */
  List<DeadLetter> select(DeadLetters letters) throws SQLException {
    return select(letters, ids, filter);
  }

  /**
   * The same for whoever has no command line.
   *
   * @param ids of each; where there are some, the filter narrows by kind alone
   * @param filter what must hold where there are no ids
   */
  static List<DeadLetter> select(DeadLetters letters, List<String> ids, DeadLetterFilter filter)
      throws SQLException {
    List<DeadLetter> chosen =
        ids.isEmpty() ? matching(letters, filter) : named(letters, ids, filter);
    if (chosen.isEmpty()) {
      throw new StartupException(
          ExitCode.FAILURE,
          "no dead letter matches, so nothing was changed",
          "See dead-letters groups for what there is",
          null);
    }
    return chosen;
  }

  private static List<DeadLetter> matching(DeadLetters letters, DeadLetterFilter filter)
      throws SQLException {
    List<DeadLetter> chosen = new ArrayList<>();
    letters.forEach(
        filter,
        false,
        letter -> {
          if (letter.isOpen()) {
            chosen.add(letter);
          }
        });
    return chosen;
  }

  private static List<DeadLetter> named(
      DeadLetters letters, List<String> ids, DeadLetterFilter filter) throws SQLException {
    Map<String, DeadLetter> chosen = new LinkedHashMap<>();
    for (String id : ids) {
      DeadLetter letter = letters.find(id, filter);
      if (!letter.isOpen()) {
        boolean pending = letter.state().equals(DeadLetter.PARKED);
        throw new StartupException(
            ExitCode.FAILURE,
            pending
                ? "event " + id + " is parked: the relay still tries it itself"
                : letter.kind().label() + " " + id + " was " + letter.state() + " already",
            pending
                ? "Repair its topic; see dead-letters show for what stands in its way"
                : "See dead-letters show for when and by whom",
            null);
      }
      chosen.put(letter.id(), letter);
    }
    return List.copyOf(chosen.values());
  }
}
