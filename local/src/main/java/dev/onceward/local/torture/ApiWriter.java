package dev.onceward.local.torture;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A client that sends each wish with its key until it is accepted, sometimes twice at once, and
 * sends old wishes again.
 */
final class ApiWriter extends TortureWriter {

  private static final double REPEATED = 0.25;
  private static final double TWICE_AT_ONCE = 0.15;
  private static final int REMEMBERED = 500;
  private static final Duration PACE = Duration.ofMillis(150);
  private static final Duration RETRY = Duration.ofMillis(400);

  private final String prefix;
  private final ApiClient client;
  private final AnswerBook book;
  private final WriterFailures failures;
  private final Random random;
  private final List<String> sent = new ArrayList<>();
  private int number;

  /**
   * @param prefix of its keys
   */
  ApiWriter(
      String name,
      String prefix,
      ApiClient client,
      AnswerBook book,
      WriterFailures failures,
      long seed) {
    super(name);
    this.prefix = prefix;
    this.client = client;
    this.book = book;
    this.failures = failures;
    this.random = new Random(seed);
  }

  @Override
  void write() throws InterruptedException {
    while (!isAskedToEnd()) {
      boolean again = !sent.isEmpty() && random.nextDouble() < REPEATED;
      String key = again ? sent.get(random.nextInt(sent.size())) : prefix + number++;
      if (!again) {
        remember(key);
      }
      boolean done = false;
      while (!done && !isGivenUp()) {
        done = send(key, random.nextDouble() < TWICE_AT_ONCE);
        Thread.sleep(done ? random.nextInt((int) PACE.toMillis() * 2) : RETRY.toMillis());
      }
    }
  }

  private void remember(String key) {
    if (sent.size() < REMEMBERED) {
      sent.add(key);
    } else {
      sent.set(random.nextInt(REMEMBERED), key);
    }
  }

  /** Whether it has been answered for good. */
  private boolean send(String key, boolean twice) {
    List<CompletableFuture<ApiAnswer>> answers = new ArrayList<>();
    for (int copy = 0; copy < (twice ? 2 : 1); copy++) {
      book.sending();
      answers.add(client.createStoreLater(key, key));
    }
    boolean done = false;
    for (CompletableFuture<ApiAnswer> answer : answers) {
      done |= judge(key, answer);
    }
    return done;
  }

  private boolean judge(String key, CompletableFuture<ApiAnswer> coming) {
    ApiAnswer answer;
    try {
      answer = coming.join();
    } catch (CompletionException broken) {
      return false; // nobody knows whether it was executed: the same key again
    }
    if (answer.status() == 202) {
      book.book(key, answer);
      return true;
    }
    if (answer.status() >= 500 || answer.problemCode().equals("IDEMPOTENCY_REQUEST_IN_PROGRESS")) {
      return false;
    }
    failures.add(key + " was refused: " + answer.status() + " " + answer.text());
    return true;
  }
}
