package dev.onceward.local.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.local.platform.PlatformCall;
import dev.onceward.local.platform.PlatformCall.Fate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class EffectCheckTest {

  private static final PlatformCall WITH_EFFECT =
      new PlatformCall(Instant.EPOCH, Fate.ANSWERED, true);
  private static final PlatformCall WITHOUT = new PlatformCall(Instant.EPOCH, Fate.ANSWERED, false);

  private final UUID id = UUID.randomUUID();
  private final UUID eventId = UUID.randomUUID();
  private final OperationFacts done = new OperationFacts(id, eventId, "store", "key", "succeeded");
  private final Map<String, String> told = Map.of("key", id.toString());

  @Test
  void one_operation_with_one_effect_is_as_it_should_be_however_often_it_was_called() {
    EffectResult result =
        EffectCheck.check(List.of(done), told, calls(WITHOUT, WITH_EFFECT, WITHOUT));

    assertThat(result).isEqualTo(new EffectResult(1, 2, Finding.NONE, Finding.NONE, Finding.NONE));
  }

  @Test
  void a_second_effect_is_found() {
    assertFound(
        EffectCheck.check(List.of(done), told, calls(WITH_EFFECT, WITH_EFFECT)).effects(), id);
  }

  @Test
  void success_without_an_effect_is_found() {
    assertFound(EffectCheck.check(List.of(done), told, calls(WITHOUT)).effects(), id);
    assertFound(EffectCheck.check(List.of(done), told, Map.of()).effects(), id);
  }

  @Test
  void a_request_that_was_executed_twice_is_found() {
    UUID other = UUID.randomUUID();
    OperationFacts again = new OperationFacts(other, UUID.randomUUID(), "store2", "key", "queued");

    EffectResult result = EffectCheck.check(List.of(again, done), told, calls(WITH_EFFECT));

    assertFound(result.executions(), other);
    assertFound(result.unfinished(), other);
  }

  @Test
  void an_answer_that_names_what_is_not_there_is_found() {
    EffectResult result = EffectCheck.check(List.of(), told, Map.of());

    assertFound(result.executions(), id);
  }

  @Test
  void a_different_answer_to_the_same_key_is_found() {
    AnswerBook book = new AnswerBook();
    book.book("key", new AnswerBook.Answer(202, "/v1/operations/1", "one", "1"));
    book.book("key", new AnswerBook.Answer(202, "/v1/operations/1", "one", "1"));
    assertThat(book.different()).isEqualTo(Finding.NONE);
    assertThat(book.repeated()).isOne();

    book.book("key", new AnswerBook.Answer(202, "/v1/operations/1", "another", "1"));

    assertThat(book.different().count()).isOne();
  }

  private Map<String, List<PlatformCall>> calls(PlatformCall... calls) {
    return Map.of(eventId.toString(), List.of(calls));
  }

  private static void assertFound(Finding finding, UUID expected) {
    assertThat(finding.count()).isOne();
    assertThat(finding.examples()).singleElement().asString().contains(expected.toString());
  }
}
