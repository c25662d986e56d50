package dev.onceward.db.receipt;

import java.util.List;
import java.util.stream.Collectors;

/** The statements of the state machine for one table. Immutable. */
final class ReceiptStatements {

  private final String insert;
  private final String find;
  private final String takeOver;
  private final String finish;

  ReceiptStatements(ReceiptTable table) {
    List<String> columns = table.claimColumns();
    insert =
        """
        INSERT INTO %s (%s, idem_key, fingerprint, fingerprint_key_id, received_at%s)
        VALUES (?, ?, ?, ?, coalesce(?, clock_timestamp())%s)
        -- waits for one who inserts the same key now; says nothing about rows of older snapshots
        ON CONFLICT (workspace_id, %s, idem_key) DO NOTHING
        RETURNING id
        """
            .formatted(
                table.name(),
                table.ownerColumn(),
                columns.stream().map(column -> ", " + column).collect(Collectors.joining()),
                ", ?".repeat(columns.size()),
                table.ownerColumn());
    find =
        """
        SELECT id, status, claim_number, fingerprint, fingerprint_key_id, run_id, task_id, received_at,
          received_at < coalesce(?, clock_timestamp()) - make_interval(secs => ?) AS stale
        FROM %s WHERE workspace_id = onceward.current_workspace() AND %s = ? AND idem_key = ?
        """
            .formatted(table.name(), table.ownerColumn());
    takeOver =
        """
        UPDATE %s SET status = 'processing', claim_number = claim_number + 1, detail = NULL, fingerprint = ?,
          fingerprint_key_id = ?, received_at = coalesce(?, clock_timestamp())%s
        -- the row as it was read: of all who read it so, one changes it
        WHERE id = ? AND status = ? AND received_at = ? AND claim_number = ?
        """
            .formatted(
                table.name(),
                columns.stream()
                    .map(column -> ", " + column + " = ?")
                    .collect(Collectors.joining()));
    finish =
        """
        UPDATE %s SET status = ?, detail = ?, run_id = ?, task_id = ?
        WHERE id = ? AND status = 'processing' AND claim_number = ?
        """
            .formatted(table.name());
  }

  String insert() {
    return insert;
  }

  String find() {
    return find;
  }

  String takeOver() {
    return takeOver;
  }

  String finish() {
    return finish;
  }
}
