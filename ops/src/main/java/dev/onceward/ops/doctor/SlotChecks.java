package dev.onceward.ops.doctor;

import dev.onceward.ops.show.ByteText;
import dev.onceward.ops.slot.Slot;
import dev.onceward.ops.slot.SlotStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The relay's slot and what PostgreSQL spares for it. Immutable.
 *
 * @param slotName its name
 */
record SlotChecks(String slotName) {

  private static final int SYNCHRONIZED_SINCE = 17;

  Answer slot(Connection connection) throws SQLException {
    Optional<Slot> found = SlotStore.find(connection, slotName);
    if (found.isEmpty()) {
      return Answer.warning(
          "there is no slot \"" + slotName + "\" yet", "Start the relay, which makes it");
    }
    Slot slot = found.get();
    if (!slot.plugin().equals("pgoutput")
        || !slot.database().equals(Query.text(connection, "SELECT current_database()"))) {
      return Answer.failed(
          "the slot \""
              + slotName
              + "\" is of database "
              + slot.database()
              + ", plugin "
              + slot.plugin(),
          "Choose another onceward.relay.slot-name");
    }
    if (slot.isLost()) {
      return Answer.failed(
          "PostgreSQL has removed log that the slot needs"
              + (slot.lostBecause() == null ? "" : " (" + slot.lostBecause() + ")"),
          "Let the relay run: it makes the slot again and fills the gap; raise"
              + " max_slot_wal_keep_size if that was too small");
    }
    String kept = slot.walStatus() + ", " + ByteText.of(slot.retainedBytes()) + " of log kept";
    if (slot.walStatus().equals("unreserved")) {
      return Answer.failed(
          kept + ": the next checkpoint may remove log that the slot needs",
          "Let the relay catch up at once, or raise max_slot_wal_keep_size");
    }
    return slot.isActive()
        ? Answer.ok(kept)
        : Answer.warning("nobody streams from it, " + kept, "Start the relay, or resume it");
  }

  Answer freeSlots(Connection connection) throws SQLException {
    long all = Query.number(connection, "SELECT current_setting('max_replication_slots')");
    long used = Query.number(connection, "SELECT count(*) FROM pg_replication_slots");
    String found = used + " of " + all + " used";
    if (used < all) {
      return Answer.ok(found);
    }
    String remedy = "Raise max_replication_slots, or drop slots that nobody needs";
    return SlotStore.find(connection, slotName).isPresent()
        ? Answer.warning(found + ", the relay's among them", remedy)
        : Answer.failed(found + ", and the relay has none yet", remedy);
  }

  Answer freeSenders(Connection connection) throws SQLException {
    long all = Query.number(connection, "SELECT current_setting('max_wal_senders')");
    long used = Query.number(connection, "SELECT count(*) FROM pg_stat_replication");
    String found = used + " of " + all + " used";
    if (used < all) {
      return Answer.ok(found);
    }
    String remedy = "Raise max_wal_senders and restart PostgreSQL";
    boolean streaming = SlotStore.find(connection, slotName).filter(Slot::isActive).isPresent();
    return streaming
        ? Answer.warning(found + ", the relay's among them: a successor must wait", remedy)
        : Answer.failed(found + ", and the relay streams from none", remedy);
  }

  static Answer keepLimit(Connection connection) throws SQLException {
    String limit = Query.text(connection, "SELECT current_setting('max_slot_wal_keep_size')");
    return limit.equals("-1")
        ? Answer.warning(
            "max_slot_wal_keep_size = -1: the log of a relay that is down fills the disk",
            "Set it to what the disk can spare; a slot that is lost is repaired from the outbox")
        : Answer.ok("max_slot_wal_keep_size = " + limit);
  }

  /** Since 18 the server gives up slots that nobody uses for a while. */
  static Answer idleLimit(Connection connection) throws SQLException {
    String limit =
        Query.text(
            connection,
            "SELECT coalesce(current_setting('idle_replication_slot_timeout', true), '0')");
    return limit.equals("0")
        ? Answer.ok("none")
        : Answer.warning(
            "idle_replication_slot_timeout = "
                + limit
                + ": a relay that is down for longer loses its slot",
            "Set it to 0; max_slot_wal_keep_size already guards the disk");
  }

  /** Whether a standby could take over without having missed what the relay has sent. */
  Answer failover(Connection connection) throws SQLException {
    long standbys =
        Query.number(
            connection, "SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'physical'");
    if (standbys == 0) {
      return Answer.ok("no standby with a slot");
    }
    if (connection.getMetaData().getDatabaseMajorVersion() < SYNCHRONIZED_SINCE) {
      return Answer.warning(
          standbys + " standby slots: after a failover Kafka may hold what the new primary lost",
          "After each one run onceward relay repair --restored, or upgrade to 17 or newer");
    }
    boolean copied =
        SlotStore.find(connection, slotName)
            .map(slot -> Boolean.TRUE.equals(slot.failover()))
            .orElse(true);
    if (!copied) {
      return Answer.warning(
          "the slot \"" + slotName + "\" is not copied to the standbys",
          "Pause the relay and run onceward slot recreate");
    }
    String waits = Query.text(connection, "SELECT current_setting('synchronized_standby_slots')");
    return waits.isEmpty()
        ? Answer.warning(
            "synchronized_standby_slots is empty: after a failover Kafka may hold what the new"
                + " primary lost",
            "Name the slots of the standbys in it, and set sync_replication_slots = on there")
        : Answer.ok("the relay waits for " + waits);
  }
}
