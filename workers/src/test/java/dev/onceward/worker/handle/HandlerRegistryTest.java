package dev.onceward.worker.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlerRegistryTest {

  private record Handler(Collection<HandledType> handledTypes) implements EventHandler {
    @Override
    public HandlerResult handle(TaskAttempt attempt) {
      return HandlerResult.of(null);
    }
  }

  private static EventHandler handler(HandledType... types) {
    return new Handler(List.of(types));
  }

  private static HandledType type(String eventType, String aggregateType, String kind) {
    return new HandledType(eventType, 1, aggregateType, kind);
  }

  @Test
  void each_event_type_leads_to_its_handler_and_its_topic() {
    EventHandler stores =
        handler(type("store.made", "store", "check"), type("store.kept", "store", "check"));
    EventHandler media = handler(type("media.uploaded", "media", "process"));
    HandlerRegistry registry = HandlerRegistry.of(List.of(stores, media));

    HandlerRegistry.Registration found = registry.find("store.kept");
    assertThat(found).isNotNull();
    assertThat(found.handler()).isSameAs(stores);
    assertThat(registry.find("store.lost")).isNull();
    assertThat(registry.types())
        .extracting(HandledType::aggregateType)
        .containsExactlyInAnyOrder("store", "store", "media");
    assertThat(registry.operationKinds()).containsExactlyInAnyOrder("check", "process");
  }

  @Test
  void a_notice_is_known_and_asks_for_no_kind_of_operation() {
    HandlerRegistry registry =
        HandlerRegistry.of(
            List.of(
                handler(
                    type("run.started", "run", "advance_run"),
                    HandledType.notice("run.ended", "run"))));

    HandlerRegistry.Registration found = registry.find("run.ended");
    assertThat(found).isNotNull();
    assertThat(found.type().operationKind()).isNull();
    assertThat(registry.operationKinds()).containsExactly("advance_run");
  }

  @Test
  void a_second_registration_of_a_type_is_refused_and_names_both() {
    assertThatThrownBy(
            () ->
                HandlerRegistry.of(
                    List.of(
                        handler(type("store.made", "store", "check")),
                        handler(type("store.made", "shop", "other")))))
        .isInstanceOf(HandlerRegistrationException.class)
        .hasMessageContaining("store.made")
        .hasMessageContaining(Handler.class.getName());
  }

  @ParameterizedTest
  @CsvSource({"'',store,check", "' ',store,check", "store.made,'',check", "store.made,store,''"})
  void an_empty_name_is_refused(String eventType, String aggregateType, String kind) {
    assertThatThrownBy(
            () -> HandlerRegistry.of(List.of(handler(type(eventType, aggregateType, kind)))))
        .isInstanceOf(HandlerRegistrationException.class);
  }

  @Test
  void a_handler_for_nothing_and_no_handler_at_all_are_refused() {
    assertThatThrownBy(() -> HandlerRegistry.of(List.of(handler())))
        .isInstanceOf(HandlerRegistrationException.class);
    assertThatThrownBy(() -> HandlerRegistry.of(List.of()))
        .isInstanceOf(HandlerRegistrationException.class);
  }

  @Test
  void a_version_below_one_is_refused() {
    assertThatThrownBy(
            () -> HandlerRegistry.of(List.of(handler(new HandledType("a.b", 0, "store", "check")))))
        .isInstanceOf(HandlerRegistrationException.class)
        .hasMessageContaining("a.b");
  }
}
