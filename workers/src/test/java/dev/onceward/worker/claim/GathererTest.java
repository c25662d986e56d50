package dev.onceward.worker.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GathererTest {

  private static final UUID HERE = new UUID(0, 1);
  private static final UUID THERE = new UUID(0, 2);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
  private final List<Integer> singles = new CopyOnWriteArrayList<>();
  private final CountDownLatch firstMayEnd = new CountDownLatch(1);

  /** Question 0 waits in its transaction until the test lets it end. */
  private Gatherer<Integer, String> gatherer(int atMost, Gatherer.Together<Integer, String> many) {
    return new Gatherer<>(
        atMost,
        (workspaceId, questions) -> {
          batches.add(questions);
          return many.answer(workspaceId, questions);
        },
        (workspaceId, question) -> {
          singles.add(question);
          if (question == 0) {
            awaitQuietly();
          }
          if (question == 13) {
            throw new SQLException("refused", "23514");
          }
          return "one " + question;
        });
  }

  private static List<String> together(UUID workspaceId, List<Integer> questions) {
    return questions.stream().map(question -> "many " + question).toList();
  }

  private void awaitQuietly() {
    try {
      assertThat(firstMayEnd.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() {
    firstMayEnd.countDown();
    threads.shutdownNow();
  }

  @Test
  void one_alone_waits_for_nobody() throws Exception {
    Gatherer<Integer, String> gatherer = gatherer(10, GathererTest::together);
    assertThat(gatherer.call(HERE, 1)).isEqualTo("one 1");
    assertThat(gatherer.call(HERE, 2)).isEqualTo("one 2");
    assertThat(batches).isEmpty();
  }

  @Test
  void those_that_come_meanwhile_go_together_up_to_the_limit_and_each_gets_its_own_answer()
      throws Exception {
    Gatherer<Integer, String> gatherer = gatherer(3, GathererTest::together);
    List<Future<String>> answers = askBehindTheFirst(gatherer, 5);
    assertThat(gatherer.call(THERE, 9)).as("another workspace does not wait").isEqualTo("one 9");
    firstMayEnd.countDown();

    assertThat(answers.get(0).get()).isEqualTo("one 0");
    for (int question = 1; question <= 5; question++) {
      assertThat(answers.get(question).get()).isEqualTo("many " + question);
    }
    assertThat(batches).extracting(List::size).containsExactly(3, 2);
  }

  @Test
  void what_fails_together_is_tried_one_by_one_and_only_the_culprit_fails() throws Exception {
    Gatherer<Integer, String> gatherer =
        gatherer(
            10,
            (workspaceId, questions) -> {
              throw new SQLException("one of them is refused", "23514");
            });
    List<Future<String>> answers = askBehindTheFirst(gatherer, 2);
    answers.add(ask(gatherer, 13, 3));
    firstMayEnd.countDown();

    assertThat(answers.get(1).get()).isEqualTo("one 1");
    assertThat(answers.get(2).get()).isEqualTo("one 2");
    assertThatThrownBy(() -> answers.get(3).get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(SQLException.class);
  }

  @Test
  void while_the_database_is_away_nobody_tries_alone() throws Exception {
    Gatherer<Integer, String> gatherer =
        gatherer(
            10,
            (workspaceId, questions) -> {
              throw new SQLException("gone", "08006");
            });
    List<Future<String>> answers = askBehindTheFirst(gatherer, 3);
    firstMayEnd.countDown();

    for (Future<String> answer : answers.subList(1, 4)) {
      assertThatThrownBy(answer::get).hasCauseInstanceOf(SQLException.class);
    }
    assertThat(singles).containsExactly(0);
  }

  @Test
  void whoever_is_interrupted_while_waiting_is_not_asked_for_and_holds_nobody_up()
      throws Exception {
    Gatherer<Integer, String> gatherer = gatherer(10, GathererTest::together);
    List<Future<String>> answers = askBehindTheFirst(gatherer, 2);
    answers.get(1).cancel(true);
    await().until(() -> waitingThreads.get(1).getState() != Thread.State.WAITING);
    firstMayEnd.countDown();

    assertThat(answers.get(2).get()).isEqualTo("one 2");
    assertThat(gatherer.call(HERE, 7)).isEqualTo("one 7");
    assertThat(singles).containsExactly(0, 2, 7);
  }

  @Test
  void a_limit_of_one_gathers_nothing() throws Exception {
    Gatherer<Integer, String> gatherer = gatherer(1, GathererTest::together);
    Future<String> first = threads.submit(() -> gatherer.call(HERE, 0));
    await().until(() -> singles.contains(0));
    assertThat(gatherer.call(HERE, 1)).isEqualTo("one 1");
    firstMayEnd.countDown();
    assertThat(first.get()).isEqualTo("one 0");
  }

  private final List<Thread> waitingThreads = new CopyOnWriteArrayList<>();

  /** Question 0 is in its transaction, and 1 to {@code more} wait in that order. */
  private List<Future<String>> askBehindTheFirst(Gatherer<Integer, String> gatherer, int more) {
    List<Future<String>> answers = new ArrayList<>();
    for (int question = 0; question <= more; question++) {
      answers.add(ask(gatherer, question, question));
    }
    return answers;
  }

  private Future<String> ask(Gatherer<Integer, String> gatherer, int question, int place) {
    AtomicInteger begun = new AtomicInteger();
    Callable<String> call =
        () -> {
          waitingThreads.add(Thread.currentThread());
          begun.set(1);
          return gatherer.call(HERE, question);
        };
    Future<String> answer = threads.submit(call);
    await()
        .until(
            () ->
                begun.get() == 1
                    && (waitingThreads.get(place).getState() == Thread.State.WAITING
                        || waitingThreads.get(place).getState() == Thread.State.TIMED_WAITING));
    return answer;
  }
}
