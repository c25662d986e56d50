package dev.onceward.db.receipt;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A table of receipts. It has the columns of {@code onceward.hook_receipts}, and a unique key over
 * workspace, owner and {@code idem_key}. Immutable.
 *
 * @param name with its schema
 * @param ownerColumn who a key belongs to, a UUID
 * @param claimColumns further text columns that every claim sets, in the order of {@link
 *     ReceiptRequest#claimValues}
 * @param staleAfter how long a claim may process before another may take it over
 */
public record ReceiptTable(
    String name, String ownerColumn, List<String> claimColumns, Duration staleAfter) {

  // First: the constants below are checked with it.
  private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z0-9_]+)?");

  /** No request takes so long: whoever processes for longer has died. */
  public static final Duration STALE_AFTER = Duration.ofMinutes(10);

  /** Of inbound hooks: a delivery's key belongs to its hook. */
  public static final ReceiptTable HOOK_RECEIPTS =
      new ReceiptTable("onceward.hook_receipts", "hook_id", List.of(), STALE_AFTER);

  /**
   * Of access keys: a key belongs to the user, so that a rotated access key still recognises its
   * own.
   */
  public static final ReceiptTable API_RECEIPTS =
      new ReceiptTable(
          "onceward.api_receipts",
          "owner_user_id",
          List.of("access_key_id", "endpoint"),
          STALE_AFTER);

  /**
   * Copies the columns.
   *
   * @throws IllegalArgumentException for a name that is no plain SQL identifier
   */
  public ReceiptTable {
    claimColumns = List.copyOf(claimColumns);
    requireIdentifier(name);
    requireIdentifier(ownerColumn);
    claimColumns.forEach(ReceiptTable::requireIdentifier);
  }

  private static void requireIdentifier(String text) {
    if (!IDENTIFIER.matcher(text).matches()) {
      throw new IllegalArgumentException("not a plain SQL identifier: " + text);
    }
  }
}
