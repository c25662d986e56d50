package dev.onceward.local.matrix;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.torture.AnswerBook;
import dev.onceward.local.torture.Fate;
import dev.onceward.local.torture.WriteLedger;
import dev.onceward.local.torture.WrittenEvent;
import java.io.IOException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * All that is written in one repetition, and the books about it. Confined to one thread; but for
 * answers that come later.
 */
final class Writing {

  /** Events that no worker handles. */
  static final String PLAIN = "matrix";

  /** The same, and so large that they can be recognised in a socket's queue. */
  static final String LARGE = "matrix_large";

  /** What the API's events are about. */
  static final String STORE = "store";

  /** In random text, so that no compression takes it away. */
  static final int LARGE_BYTES = 40_000;

  private static final String EVENT_TYPE = "thing.written";
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(6);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final LocalCluster cluster;
  private final String prefix;
  private final ApiClient client;
  private final WriteLedger ledger = new WriteLedger();
  private final AnswerBook answers = new AnswerBook();
  private final Set<String> types = new LinkedHashSet<>(List.of(PLAIN));
  private final List<String> keys = new ArrayList<>();
  private long sequence;

  /**
   * Begins.
   *
   * @param prefix of the aggregates, idempotency keys and external ids of this repetition
   */
  Writing(LocalCluster cluster, String prefix) {
    this.cluster = cluster;
    this.prefix = prefix;
    this.client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
  }

  /**
   * Events of one committed transaction. Immutable.
   *
   * @param ids of the events
   * @param lsn before the commit's record
   */
  record Committed(List<UUID> ids, String lsn) {}

  /** An aggregate type of this repetition's own, so that it gets a topic of its own. */
  String freshType() {
    return PLAIN + "_" + prefix.replaceAll("[^a-z0-9]", "") + sequence++;
  }

  /** The aggregate that the events of a type are about. */
  String aggregate() {
    return prefix + "a";
  }

  /** Commits so many events of a type, all about {@link #aggregate}. */
  Committed commit(String type, int count) throws SQLException {
    types.add(type);
    List<WrittenEvent> written = new ArrayList<>();
    Fate fate = Fate.ROLLED_BACK;
    try (Connection connection = cluster.connectAsApp()) {
      connection.setAutoCommit(false);
      String lsn = append(connection, type, count, written);
      fate = Fate.UNKNOWN;
      connection.commit();
      fate = Fate.COMMITTED;
      return new Committed(written.stream().map(WrittenEvent::id).toList(), lsn);
    } finally {
      ledger.book(written, fate);
    }
  }

  /** Writes an event and rolls it back. */
  void rollBack() throws SQLException {
    List<WrittenEvent> written = new ArrayList<>();
    try (Connection connection = cluster.connectAsApp()) {
      connection.setAutoCommit(false);
      String unused = append(connection, PLAIN, 1, written);
      connection.rollback();
    } finally {
      ledger.book(written, Fate.ROLLED_BACK);
    }
  }

  /** One more event of each type that was written, behind all others of its aggregate. */
  void writeBehind() throws SQLException {
    for (String type : types) {
      Committed unused = commit(type, 1);
    }
  }

  private String append(Connection connection, String type, int count, List<WrittenEvent> written)
      throws SQLException {
    WorkspaceContext.set(connection, cluster.access().workspaceId());
    for (int i = 0; i < count; i++) {
      long place = sequence++;
      NewEvent event = NewEvent.of(EVENT_TYPE, type, aggregate(), payload(type, place));
      written.add(new WrittenEvent(event.id(), type + " " + aggregate(), place));
      OutboxWriter.append(connection, event);
    }
    try (PreparedStatement query =
            connection.prepareStatement("SELECT pg_current_wal_insert_lsn()::text");
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  private static String payload(String type, long place) {
    if (!type.equals(LARGE)) {
      return "{\"number\": " + place + "}";
    }
    byte[] random = new byte[LARGE_BYTES];
    new SecureRandom().nextBytes(random);
    return "{\"number\": "
        + place
        + ", \"padding\": \""
        + Base64.getEncoder().encodeToString(random)
        + "\"}";
  }

  /** Sends a request with a new key, without waiting for its answer. */
  CompletableFuture<ApiAnswer> requestLater() {
    String key = prefix + keys.size();
    keys.add(key);
    return client.createStoreLater(key, key);
  }

  /** Sends a request that is accepted; the id of its event. */
  UUID request() throws IOException, InterruptedException {
    String key = prefix + keys.size();
    keys.add(key);
    ApiAnswer answer = client.createStore(key, key);
    if (answer.status() != 202) {
      throw new IOException("a request was answered " + answer.status() + " " + answer.text());
    }
    answers.book(key, answer);
    return UUID.fromString(answer.json().at("/operation/event_id").asText());
  }

  /** Sends every request again, twice, with its key; those without an answer within the limit. */
  List<String> repeatRequests(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    List<String> unanswered = new ArrayList<>();
    for (String key : keys) {
      for (int time = 0; time < 2; time++) {
        String trouble = repeat(key);
        while (!trouble.isEmpty() && System.nanoTime() - deadline < 0) {
          Thread.sleep(PAUSE.toMillis());
          trouble = repeat(key);
        }
        if (!trouble.isEmpty()) {
          unanswered.add(key + ": " + trouble);
        }
      }
    }
    return unanswered;
  }

  /** Empty text when it was accepted. */
  private String repeat(String key) throws InterruptedException {
    try {
      ApiAnswer answer = client.createStore(key, key);
      if (answer.status() == 202) {
        answers.book(key, answer);
        return "";
      }
      return answer.status() + " " + answer.text();
    } catch (IOException broken) {
      return broken.toString();
    }
  }

  /** The events' types, of which each has a topic. */
  Set<String> types() {
    return Set.copyOf(types);
  }

  WriteLedger ledger() {
    return ledger;
  }

  AnswerBook answers() {
    return answers;
  }
}
