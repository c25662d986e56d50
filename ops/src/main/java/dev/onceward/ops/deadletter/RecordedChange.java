package dev.onceward.ops.deadletter;

import dev.onceward.ops.change.StartedAction;
import dev.onceward.ops.show.Progress;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A change of dead letters, from its lock to its record. Confined to one thread. */
final class RecordedChange {

  private final DeadLetters letters;
  private final DeadLetterActStore.Command command;
  private final Start start;
  private final Progress progress;

  /** Notes that the change begins. */
  @FunctionalInterface
  interface Start {
    StartedAction on(Connection connection) throws SQLException;
  }

  /** The change itself. It commits what it has done, and notes it in the outcome. */
  @FunctionalInterface
  interface Work {
    void run(
        DeadLetters letters,
        DeadLetterActStore.Command command,
        List<DeadLetter> chosen,
        Outcome outcome)
        throws SQLException;
  }

  RecordedChange(
      DeadLetters letters, DeadLetterActStore.Command command, Start start, Progress progress) {
    this.letters = letters;
    this.command = command;
    this.start = start;
    this.progress = progress;
  }

  /**
   * Does it. The lock is held until the connection ends.
   *
   * @throws StartupException if another one changes dead letters now
   */
  Outcome perform(List<DeadLetter> chosen, Work work) throws SQLException {
    Connection connection = letters.connection();
    if (!DeadLetterActStore.lock(connection)) {
      throw new StartupException(
          ExitCode.FAILURE,
          "another command is changing dead letters, so nothing was changed",
          "Wait until it is done, then run this one again",
          null);
    }
    StartedAction action = start.on(connection);
    Outcome outcome = new Outcome(progress);
    work(action, chosen, outcome, work);
    if (outcome.refused().isEmpty()) {
      action.succeeded(connection, result(outcome));
    } else {
      action.failed(connection, result(outcome));
    }
    return outcome;
  }

  /** Notes the end if it is a failure. */
  private void work(StartedAction action, List<DeadLetter> chosen, Outcome outcome, Work work)
      throws SQLException {
    try {
      work.run(letters, command, chosen, outcome);
    } catch (StartupException | SQLException failure) {
      try {
        letters.connection().rollback();
        action.failed(letters.connection(), result(outcome));
      } catch (SQLException alsoAway) {
        failure.addSuppressed(alsoAway);
      }
      throw failure;
    }
  }

  private String result(Outcome outcome) {
    return "replay " + command.replayId() + ": " + outcome.text();
  }
}
