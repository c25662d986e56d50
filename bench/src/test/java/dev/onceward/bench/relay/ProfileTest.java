package dev.onceward.bench.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProfileTest {

  @Test
  void a_sample_counts_for_the_innermost_part_that_is_ours() {
    assertThat(
            Profile.part(
                List.of(
                    "org.postgresql.core.PGStream",
                    "dev.onceward.relay.audit.OutboxRows",
                    "dev.onceward.relay.RelayHandler")))
        .isEqualTo("audit");
    assertThat(Profile.part(List.of("java.util.HashMap", "dev.onceward.relay.Term")))
        .isEqualTo("relay");
    assertThat(Profile.part(List.of("java.util.HashMap", "io.debezium.connector.postgresql.Some")))
        .isEqualTo("engine");
    assertThat(Profile.part(List.of("org.apache.kafka.clients.NetworkClient"))).isEqualTo("kafka");
    assertThat(Profile.part(List.of("java.lang.Thread"))).isEqualTo("other");
  }

  @Test
  void shares_are_of_all_samples_the_greatest_first() {
    Profile profile = Profile.of("fast", 8, Map.of("audit", 2, "publish", 6));
    assertThat(profile.percent())
        .containsExactly(Map.entry("publish", 75.0), Map.entry("audit", 25.0));
    assertThat(profile.line()).isEqualTo("fast: publish 75.0, audit 25.0 % of 8 samples");
  }
}
