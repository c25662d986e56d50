package dev.onceward.ops.doctor;

import dev.onceward.ops.DatabaseFailures;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All checks of PostgreSQL, by name. Confined to one thread. */
final class DatabaseExamination {

  private final Map<String, DatabaseCheck> checks = new LinkedHashMap<>();

  /**
   * @param clock this machine's
   */
  DatabaseExamination(DoctorSettings settings, Clock clock) {
    SlotChecks slot = new SlotChecks(settings.slotName());
    checks.put("postgresql-version", ServerChecks::version);
    checks.put("primary", ServerChecks::primary);
    checks.put("clock", connection -> ServerChecks.clock(connection, clock));
    checks.put("schema", ServerChecks::schema);
    checks.put("wal-level", ServerChecks::walLevel);
    checks.put("replication-slots", slot::freeSlots);
    checks.put("wal-senders", slot::freeSenders);
    checks.put("slot-keep-limit", SlotChecks::keepLimit);
    checks.put("slot-idle-limit", SlotChecks::idleLimit);
    checks.put("slot", slot::slot);
    checks.put("failover", slot::failover);
    checks.put("publication", OutboxChecks::publication);
    checks.put("partitions", OutboxChecks::partitionsAhead);
    checks.put("default-partition", OutboxChecks::defaultPartition);
    checks.put("unlogged", OutboxChecks::unlogged);
    checks.put("roles", RoleChecks::attributes);
    checks.put("role-ownership", RoleChecks::ownership);
    checks.put("relay-replication", RoleChecks::replication);
    checks.put("row-security", RowSecurityChecks::forced);
    checks.put("workspace-policies", RowSecurityChecks::noOpenDoor);
    checks.put("relay-policies", RowSecurityChecks::relaySeesAll);
  }

  /** Asks them all. */
  List<Finding> with(Connection connection) {
    List<Finding> findings = new ArrayList<>();
    checks.forEach((id, check) -> findings.add(Finding.of(id, ask(check, connection))));
    return findings;
  }

  /** None of them could be asked. */
  List<Finding> without(StartupException reason) {
    return checks.keySet().stream().map(id -> Finding.of(id, notAsked(reason))).toList();
  }

  private static Answer ask(DatabaseCheck check, Connection connection) {
    try {
      return check.ask(connection);
    } catch (SQLException failure) {
      StartupException known = DatabaseFailures.classify(failure);
      return known == null
          ? Answer.failed(
              "not checked: " + failure.getMessage(), "See PostgreSQL's log about this statement")
          : notAsked(known);
    }
  }

  static Answer notAsked(StartupException reason) {
    return Answer.failed("not checked: " + reason.getMessage(), reason.remedy());
  }
}
