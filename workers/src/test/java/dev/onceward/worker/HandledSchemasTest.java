package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.event.EventSchemas;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerEnvironment;
import dev.onceward.worker.handle.HandlerProvider;
import dev.onceward.worker.handle.MaterialRules;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class HandledSchemasTest {
  @Test
  void every_version_that_a_handler_reads_has_a_schema() {
    HandlerEnvironment environment =
        new HandlerEnvironment(
            new CredentialCipher(Map.of("k1", new byte[32])),
            URI.create("http://127.0.0.1:1"),
            Duration.ofSeconds(1),
            MaterialRules.DEFAULT);
    List<HandledType> types =
        ServiceLoader.load(HandlerProvider.class).stream()
            .flatMap(provider -> provider.get().handlers(environment).stream())
            .flatMap(handler -> handler.handledTypes().stream())
            .toList();

    assertThat(types).isNotEmpty();
    for (HandledType type : types) {
      for (int version = 1; version <= type.newestPayloadVersion(); version++) {
        assertThat(EventSchemas.find(type.eventType(), version))
            .as("%s.v%d", type.eventType(), version)
            .isPresent();
      }
    }
  }
}
