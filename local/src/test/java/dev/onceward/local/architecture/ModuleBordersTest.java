package dev.onceward.local.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ModuleBordersTest {

  /** Every module's root package. */
  private static final List<String> MODULES =
      List.of("process", "embedded", "event", "db", "api", "relay", "worker", "ops", "local");

  @ParameterizedTest
  @ValueSource(
      strings = {"process", "embedded", "event", "db", "api", "relay", "worker", "ops", "local"})
  void every_module_is_on_the_class_path_of_these_rules(String module) {
    assertThat(
            OurClasses.ALL.stream()
                .anyMatch(type -> type.getPackageName().startsWith("dev.onceward." + module)))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "process, ''",
    "embedded, ''",
    "event, ''",
    "db, event process",
    "api, event db process",
    "relay, event db process",
    "worker, event db process",
    "ops, event db process"
  })
  void a_module_uses_only_what_the_design_allows(String module, String uses) {
    List<String> allowed = List.of(uses.split(" "));
    String[] foreign =
        MODULES.stream()
            .filter(other -> !other.equals(module) && !allowed.contains(other))
            .map(other -> "dev.onceward." + other + "..")
            .toArray(String[]::new);

    noClasses()
        .that()
        .resideInAPackage("dev.onceward." + module + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(foreign)
        .because(
            "modules meet in the database and in the event contract, not in Java: move what both"
                + " need down into db, events or process")
        .check(OurClasses.ALL);
  }

  @Test
  void only_the_capture_package_knows_the_engine() {
    onlyIn(
        "io.debezium..",
        "the engine must stay replaceable: hand its records over as types of relay.capture",
        "dev.onceward.relay.capture..");
  }

  @Test
  void only_three_packages_send_to_kafka() {
    onlyIn(
        "org.apache.kafka.clients.producer..",
        "a record that goes out past the relay is unknown to the outbox: write an outbox row, or"
            + " send through relay.publish, worker.deadletter or ops.replay",
        "dev.onceward.relay.publish..",
        "dev.onceward.worker.deadletter..",
        "dev.onceward.ops.replay..");
  }

  @Test
  void only_the_http_packages_know_the_http_library() {
    onlyIn(
        "io.javalin..",
        "routes, authentication and problem bodies are one place: give api.http or ops.console.http a"
            + " plain function",
        "dev.onceward.api.http..",
        "dev.onceward.ops.console.http..");
  }

  @Test
  void the_event_contract_needs_neither_a_database_nor_a_connection_to_kafka() {
    noClasses()
        .that()
        .resideInAPackage("dev.onceward.event")
        .or()
        .resideInAPackage("dev.onceward.event.route..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.sql..", "javax.sql..", "org.apache.kafka.clients..", "org.postgresql.."))
        .because(
            "an outside consumer depends on it with a client of its own choice: take and return"
                + " plain values")
        .check(OurClasses.ALL);
  }

  private static void onlyIn(String library, String because, String... homes) {
    DescribedPredicate<JavaClass> outside =
        DescribedPredicate.not(resideInAnyPackage(homes))
            .as("reside outside of %s", String.join(", ", homes));
    noClasses()
        .that(outside)
        .should()
        .dependOnClassesThat(resideInAPackage(library))
        .because(because)
        .check(OurClasses.ALL);
  }
}
