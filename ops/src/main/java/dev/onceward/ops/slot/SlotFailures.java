package dev.onceward.ops.slot;

import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.SQLException;

/** What a refused change of a slot means, judged by SQLSTATE alone. */
final class SlotFailures {

  private SlotFailures() {}

  /** For the operator; the failure itself when nothing is known about it. */
  static Exception explain(SQLException failure, String slot) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    return switch (state) {
      case "42501" ->
          new StartupException(
              ExitCode.UNAVAILABLE,
              "the role may not drop or make replication slots",
              "Name one that may replicate, such as onceward_relay, in onceward.ops.slot-user and"
                  + " its password in onceward.ops.slot-password",
              failure);
      case "55006" -> inUse(slot, "somebody");
      case "42704" ->
          refused("the slot \"" + slot + "\" was dropped meanwhile", "Look at onceward slot show");
      case "42710" ->
          refused(
              "the slot \"" + slot + "\" is there again: the relay was quicker",
              "Nothing is left to do");
      case "53400" ->
          refused(
              "the server has no replication slot left",
              "Raise max_replication_slots, or drop slots that nobody needs");
      case "55000" ->
          refused(
              "the server writes no log that a slot could decode",
              "Set wal_level = logical and restart PostgreSQL");
      case "57014" ->
          refused(
              "the slot \"" + slot + "\" cannot be made while an older transaction stays open",
              "Find it in pg_stat_activity (the oldest xact_start), end it, and run this again");
      default -> failure;
    };
  }

  static StartupException inUse(String slot, String by) {
    return refused(
        "the slot \"" + slot + "\" is in use by " + by + ", so that nothing was changed",
        "Pause the relay with onceward relay pause, or stop it, and try again");
  }

  static StartupException refused(String message, String remedy) {
    return new StartupException(ExitCode.FAILURE, message, remedy, null);
  }
}
