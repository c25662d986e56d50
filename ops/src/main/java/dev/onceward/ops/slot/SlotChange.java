package dev.onceward.ops.slot;

import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.change.StartedAction;
import dev.onceward.ops.show.ByteText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A change of a slot: looked at, asked about, noted, made. */
enum SlotChange {
  /** It goes. */
  DROP,
  /** It goes and comes again at the end of the log. Failure: it stays away. */
  RECREATE;

  /** Making it waits for open transactions; below the socket's time-out. */
  private static final int PATIENCE_SECONDS = 50;

  /** Opens the second connection, when it is needed. */
  @FunctionalInterface
  interface Login {
    Connection open() throws SQLException;
  }

  /**
   * What has been done, or would be.
   *
   * @param slot its name
   * @param dropped whether it was there and went
   * @param made whether it was made
   * @param releasedBytes log that was kept for it
   * @param dryRun whether nothing happened
   */
  record Done(String slot, boolean dropped, boolean made, long releasedBytes, boolean dryRun) {
    String text() {
      String would = dryRun ? "would be " : "";
      String what =
          dropped && made
              ? would + "dropped and made again"
              : made ? would + "made" : would + "dropped";
      return slot + " " + what + (dropped ? ", released " + ByteText.of(releasedBytes) : "");
    }
  }

  /**
   * Makes the change.
   *
   * @param records as {@code onceward_ops}
   * @param login a role that may replicate
   * @throws dev.onceward.process.StartupException if it is refused; nothing was changed then
   */
  Done run(Connection records, Login login, ChangeOptions change, String name) throws Exception {
    Slot slot = SlotStore.find(records, name).orElse(null);
    check(records, slot, name);
    change.confirm(consequence(slot, name));
    Done done =
        new Done(
            name,
            slot != null,
            this == RECREATE,
            slot == null ? 0 : slot.retainedBytes(),
            change.isDryRun());
    if (change.isDryRun()) {
      change.sayDryRun();
      return done;
    }
    try (Connection connection = login.open()) {
      StartedAction action = change.start(records);
      boolean dropped = false;
      try {
        if (slot != null) {
          SlotStore.drop(connection, name);
          dropped = true;
        }
        if (this == RECREATE) {
          new RelayStateStore(name).openGap(connection);
          SlotStore.create(connection, name, PATIENCE_SECONDS);
        }
      } catch (SQLException failure) {
        action.failed(
            records, (dropped ? "dropped, not made" : "nothing") + ": " + failure.getSQLState());
        throw SlotFailures.explain(failure, name);
      }
      action.succeeded(records, done.text());
      return done;
    }
  }

  private void check(Connection connection, @Nullable Slot slot, String name) throws SQLException {
    if (slot == null) {
      if (this == DROP) {
        throw SlotCommand.missing(name);
      }
      return;
    }
    if (slot.isActive()) {
      throw SlotFailures.inUse(name, "server process " + slot.activePid());
    }
    String here = database(connection);
    if (!slot.database().equals(here) || !slot.plugin().equals("pgoutput")) {
      throw SlotFailures.refused(
          "the slot \""
              + name
              + "\" is not a relay's of this database: it is of database "
              + slot.database()
              + " with plugin "
              + slot.plugin(),
          "Correct onceward.relay.slot-name or onceward.database.url");
    }
  }

  private String consequence(@Nullable Slot slot, String name) {
    if (slot == null) {
      return "Makes the replication slot \"" + name + "\": the log is kept for it from now on";
    }
    return (this == DROP ? "Drops" : "Drops and makes again")
        + " the replication slot \""
        + name
        + "\" and releases "
        + ByteText.of(slot.retainedBytes())
        + " of log: what the relay has not read of it, its audit fills from the outbox";
  }

  private static String database(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT current_database()");
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }
}
