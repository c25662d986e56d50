package dev.onceward.local.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.UuidV7;
import dev.onceward.event.EventHeaders;
import dev.onceward.local.topic.SeenRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class RecordCheckTest {

  private final UUID first = UuidV7.next();
  private final UUID second = UuidV7.next();
  private final UUID undone = UuidV7.next();
  private final Map<UUID, LedgerEntry> ledger =
      new HashMap<>(
          Map.of(
              first, new LedgerEntry("a", 1, Fate.COMMITTED),
              second, new LedgerEntry("a", 2, Fate.COMMITTED),
              undone, new LedgerEntry("a", 3, Fate.ROLLED_BACK)));
  private final RecordCheck check = new RecordCheck(ledger);

  @Test
  void what_is_as_it_should_be_has_no_finding() {
    check.record(record(first));
    check.record(record(second));

    RecordResult result = check.finish(Set.of(), Set.of());

    assertThat(result)
        .isEqualTo(
            new RecordResult(
                2, 0, 0, Finding.NONE, Finding.NONE, Finding.NONE, Finding.NONE, Finding.NONE));
  }

  @Test
  void a_committed_event_without_a_record_is_lost() {
    check.record(record(first));

    RecordResult result = check.finish(Set.of(), Set.of());

    assertFound(result.lost(), second);
  }

  @Test
  void a_committed_event_that_is_visibly_set_aside_is_not_lost() {
    check.record(record(first));

    RecordResult result = check.finish(Set.of(second), Set.of());

    assertThat(result.lost()).isEqualTo(Finding.NONE);
    assertThat(result.setAside()).isOne();
  }

  @Test
  void a_record_of_what_was_rolled_back_is_a_phantom() {
    check.record(record(undone));

    assertFound(check.finish(Set.of(), Set.of()).phantoms(), undone);
  }

  @Test
  void a_record_of_what_was_never_in_the_outbox_is_a_phantom() {
    UUID invented = UuidV7.next();
    UUID ofOthers = UuidV7.next();
    check.record(record(invented));
    check.record(record(ofOthers));

    assertThat(check.strangers()).containsExactlyInAnyOrder(invented, ofOthers);
    assertFound(check.finish(Set.of(), Set.of(ofOthers)).phantoms(), invented);
  }

  @Test
  void a_second_record_of_an_event_is_a_duplicate() {
    check.record(record(first));
    check.record(record(first));

    RecordResult result = check.finish(Set.of(), Set.of());

    assertFound(result.duplicates(), first);
    assertThat(result.changed()).isEqualTo(Finding.NONE);
  }

  @Test
  void a_second_record_that_says_that_it_is_a_replay_or_a_repair_is_no_duplicate() {
    check.record(record(first));
    check.record(record(first, 0, Map.of(EventHeaders.REPLAY_ID, "1")));
    check.record(record(first, 0, Map.of(EventHeaders.AUDIT_REPAIR, "true")));

    RecordResult result = check.finish(Set.of(), Set.of());

    assertThat(result.duplicates()).isEqualTo(Finding.NONE);
    assertThat(result.repairs()).isOne();
  }

  @Test
  void a_second_record_with_another_content_is_changed() {
    check.record(record(first));
    check.record(
        new SeenRecord(
            "onceward.torture", 0, 1, first.toString(), Map.of(), first + "!", Instant.EPOCH));

    assertFound(check.finish(Set.of(), Set.of()).changed(), first);
  }

  @Test
  void a_record_that_does_not_hold_its_own_id_is_changed() {
    check.record(
        new SeenRecord("onceward.torture", 0, 1, first.toString(), Map.of(), "{}", Instant.EPOCH));

    assertFound(check.finish(Set.of(), Set.of()).changed(), first);
  }

  @Test
  void an_event_behind_a_later_one_of_its_aggregate_is_overtaken() {
    check.record(record(second));
    check.record(record(first));

    assertFound(check.finish(Set.of(), Set.of()).overtaken(), first);
  }

  @Test
  void a_repeated_record_behind_a_later_one_overtakes_nothing() {
    check.record(record(first));
    check.record(record(second));
    check.record(record(first));

    assertThat(check.finish(Set.of(), Set.of()).overtaken()).isEqualTo(Finding.NONE);
  }

  @Test
  void what_the_audit_has_sent_late_may_come_late() {
    check.record(record(second));
    check.record(record(first, 0, Map.of(EventHeaders.AUDIT_REPAIR, "true")));

    assertThat(check.finish(Set.of(), Set.of()).overtaken()).isEqualTo(Finding.NONE);
  }

  @Test
  void an_event_in_another_partition_than_its_aggregate_is_found() {
    check.record(record(first, 0, Map.of()));
    check.record(record(second, 1, Map.of()));

    assertFound(check.finish(Set.of(), Set.of()).overtaken(), second);
  }

  private static void assertFound(Finding finding, UUID id) {
    assertThat(finding.count()).isOne();
    assertThat(finding.examples()).singleElement().asString().contains(id.toString());
  }

  private static SeenRecord record(UUID id) {
    return record(id, 0, Map.of());
  }

  private static SeenRecord record(UUID id, int partition, Map<String, String> headers) {
    return new SeenRecord(
        "onceward.torture",
        partition,
        1,
        id.toString(),
        headers,
        "{\"event_id\":\"" + id + "\"}",
        Instant.EPOCH);
  }
}
