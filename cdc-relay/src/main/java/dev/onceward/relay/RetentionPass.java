package dev.onceward.relay;

import dev.onceward.db.SqlStates;
import dev.onceward.relay.slot.PartitionRetention;
import dev.onceward.relay.slot.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops what is older than the retention, and says so. Confined to the session's thread. */
final class RetentionPass {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionPass.class);

  private final RelaySession session;
  private final Duration retention;
  private final RelayStatus status;
  private Map<String, String> told = Map.of();

  RetentionPass(RelaySession session, Duration retention, RelayStatus status) {
    this.session = session;
    this.retention = retention;
    this.status = status;
  }

  /** One pass. A failure ends no stream: old rows take nothing but space. */
  void dropOld() throws SQLException {
    try {
      PartitionRetention.Outcome outcome = PartitionRetention.enforce(session, retention);
      status.partitionsOverdue(outcome.left().size());
      if (!outcome.dropped().isEmpty() || outcome.rowsDeleted() > 0) {
        LOG.info(
            "Older than the retention and audited: dropped {}, deleted {} rows of DEFAULT",
            outcome.dropped(),
            outcome.rowsDeleted());
      }
      if (!outcome.left().isEmpty() && !outcome.left().equals(told)) {
        LOG.warn("Partitions that are old and could not be dropped yet: {}", outcome.left());
      }
      told = outcome.left();
    } catch (SQLException e) {
      if (SqlStates.isUnavailable(e)) {
        throw e;
      }
      LOG.error(
          "What is older than the retention could not be dropped (SQLSTATE {}). Check that the"
              + " migrations are current and that nothing depends on an old partition",
          e.getSQLState());
    }
  }
}
