package dev.onceward.local.torture;

import dev.onceward.local.client.ApiAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The first answer to each idempotency key, held against every later one. Thread-safe. */
public final class AnswerBook {

  private final Map<String, Answer> answers = new HashMap<>();
  private final FindingList different = new FindingList();
  private long repeated;
  private long sent;

  /** Counts a request that is about to be sent. */
  synchronized void sending() {
    sent++;
  }

  /** Books an accepting answer; a different one under the same key is a finding. */
  public synchronized void book(String key, ApiAnswer answer) {
    book(
        key,
        new Answer(
            answer.status(),
            answer.header("Location").orElse(""),
            answer.text(),
            answer.operationId()));
  }

  synchronized void book(String key, Answer answer) {
    Answer first = answers.putIfAbsent(key, answer);
    if (first == null) {
      return;
    }
    repeated++;
    if (!first.equals(answer)) {
      different.add(key + " was answered " + first + ", and later " + answer);
    }
  }

  /** By key, the operation that the client was told. */
  public synchronized Map<String, String> operations() {
    Map<String, String> operations = new HashMap<>();
    answers.forEach((key, answer) -> operations.put(key, answer.operation));
    return operations;
  }

  public synchronized Finding different() {
    return different.finding();
  }

  public synchronized long repeated() {
    return repeated;
  }

  synchronized long sent() {
    return sent;
  }

  /**
   * What must be the same each time. Immutable.
   *
   * @param status of HTTP
   * @param location the header
   * @param body hash of its text: many are kept
   * @param operation the id in the body
   */
  record Answer(int status, String location, int body, String operation) {
    Answer(int status, String location, String body, String operation) {
      this(status, location, Objects.hashCode(body), operation);
    }
  }
}
