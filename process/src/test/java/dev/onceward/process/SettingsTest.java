package dev.onceward.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onceward.process.ConfigurationException.Problem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private enum Mode {
    DEAD_LETTER,
    IGNORE
  }

  @TempDir Path folder;

  @Test
  void a_system_property_wins_over_the_environment_and_that_over_the_file() throws IOException {
    Path file = file("onceward.a.one=file", "onceward.a.two=file", "onceward.a.three=file");
    Settings settings =
        Settings.of(
            Map.of("onceward.a.one", "system"),
            Map.of("ONCEWARD_A_ONE", "environment", "ONCEWARD_A_TWO", "environment"),
            file);

    assertThat(settings.text("onceward.a.one", "")).isEqualTo("system");
    assertThat(settings.text("onceward.a.two", "")).isEqualTo("environment");
    assertThat(settings.text("onceward.a.three", "")).isEqualTo("file");
    assertThat(settings.text("onceward.a.four", "default", "")).isEqualTo("default");
    settings.verify("onceward.a");
  }

  @Test
  void a_dashed_key_is_found_by_its_environment_name() {
    Settings settings = Settings.of(Map.of(), Map.of("ONCEWARD_RELAY_SLOT_NAME", "s1"), null);

    assertThat(settings.text("onceward.relay.slot-name", "onceward", "")).isEqualTo("s1");
    settings.verify("onceward.relay");
  }

  @Test
  void every_kind_of_value_is_read() {
    Settings settings =
        Settings.of(
            Map.of(
                "onceward.a.port", " 8080 ",
                "onceward.a.bytes", "5000000000",
                "onceward.a.wait", "250ms",
                "onceward.a.iso", "PT1M30S",
                "onceward.a.on", "true",
                "onceward.a.mode", "dead-letter",
                "onceward.a.url", "https://platform.example/base"));

    assertThat(settings.integer("onceward.a.port", 1, 0, 65_535, "port", "")).isEqualTo(8080);
    assertThat(settings.longInteger("onceward.a.bytes", 1, 0, Long.MAX_VALUE, "bytes", ""))
        .isEqualTo(5_000_000_000L);
    assertThat(duration(settings, "onceward.a.wait")).isEqualTo(Duration.ofMillis(250));
    assertThat(duration(settings, "onceward.a.iso")).isEqualTo(Duration.ofSeconds(90));
    assertThat(settings.bool("onceward.a.on", false, "")).isTrue();
    assertThat(settings.enumeration("onceward.a.mode", Mode.IGNORE, ""))
        .isEqualTo(Mode.DEAD_LETTER);
    assertThat(settings.uri("onceward.a.url", ""))
        .isEqualTo(URI.create("https://platform.example/base"));
    settings.verify("onceward.a");
  }

  @Test
  void all_problems_are_reported_together_with_value_expectation_and_place() throws IOException {
    Settings settings =
        Settings.of(
            Map.of("onceward.a.on", "yes"),
            Map.of("ONCEWARD_A_WAIT", "10", "ONCEWARD_A_PORT", "70000", "ONCEWARD_A_MODE", "drop"),
            file("# comment", "onceward.a.url=ftp://x"));
    settings.text("onceward.a.name", "");
    settings.integer("onceward.a.port", 1, 0, 65_535, "port", "");
    duration(settings, "onceward.a.wait");
    settings.bool("onceward.a.on", false, "");
    settings.enumeration("onceward.a.mode", Mode.IGNORE, "");
    settings.uri("onceward.a.url", "");

    assertThat(problems(settings))
        .extracting(Problem::toString)
        .containsExactly(
            "onceward.a.name is required but not set. Set ONCEWARD_A_NAME or onceward.a.name in the"
                + " configuration file.",
            "onceward.a.port is \"70000\"; expected: whole number from 0 to 65535. Change it in the"
                + " environment variable ONCEWARD_A_PORT.",
            "onceward.a.wait is \"10\"; expected: duration from 0s to 1h. Change it in the"
                + " environment variable ONCEWARD_A_WAIT.",
            "onceward.a.on is \"yes\"; expected: true or false. Change it in the system property"
                + " onceward.a.on.",
            "onceward.a.mode is \"drop\"; expected: one of dead_letter, ignore. Change it in the"
                + " environment variable ONCEWARD_A_MODE.",
            "onceward.a.url is \"ftp://x\"; expected: http or https address with a host and without"
                + " user or password. Change it in "
                + folder.resolve("onceward.properties")
                + " line 2.");
  }

  @ParameterizedTest
  @CsvSource({
    "1023,false",
    "1024,true",
    "2048,true",
    "2049,false",
    "1e3,false",
    "99999999999,false"
  })
  void a_number_is_accepted_up_to_its_bounds_and_no_further(String text, boolean accepted) {
    Settings settings = Settings.of(Map.of("onceward.a.port", text));
    settings.integer("onceward.a.port", 1, 1024, 2048, "port", "");

    assertThat(settings.hasProblem("onceward.a.port")).isEqualTo(!accepted);
  }

  @ParameterizedTest
  @CsvSource({"9ms,false", "10ms,true", "1m,true", "61s,false"})
  void a_duration_is_accepted_up_to_its_bounds_and_no_further(String text, boolean accepted) {
    Settings settings = Settings.of(Map.of("onceward.a.wait", text));
    settings.duration(
        "onceward.a.wait", Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofMinutes(1), "");

    assertThat(settings.hasProblem("onceward.a.wait")).isEqualTo(!accepted);
  }

  @Test
  void an_empty_value_means_not_set() {
    Settings settings = Settings.of(Map.of(), Map.of("ONCEWARD_A_NAME", ""), null);

    assertThat(settings.text("onceward.a.name", "default", "")).isEqualTo("default");
    assertThat(settings.optionalText("onceward.a.name", "")).isNull();
  }

  @Test
  void an_unknown_name_in_an_owned_section_is_refused_with_the_nearest_known_one() {
    Settings settings =
        Settings.of(
            Map.of("onceward.api.prot", "1", "onceward.api.colour", "red"),
            Map.of("ONCEWARD_API_PROT", "1"),
            null);
    settings.integer("onceward.api.port", 1, 0, 65_535, "port", "");

    assertThatThrownBy(() -> settings.verify("onceward.api"))
        .hasMessageContaining(
            "onceward.api.prot is unknown (set in the system properties). Did you mean onceward.api.port.")
        .hasMessageContaining(
            "ONCEWARD_API_PROT is unknown (set in the environment). Did you mean ONCEWARD_API_PORT.")
        .hasMessageContaining(
            "onceward.api.colour is unknown (set in the system properties). Remove it");
  }

  @Test
  void a_misspelt_shared_name_is_refused_but_another_processs_name_is_not() {
    Settings settings =
        Settings.of(
            Map.of(
                "onceward.databse.url", "x",
                "onceward.relay.slot-name", "x",
                "onceward.ops.port", "1"));
    settings.optionalText("onceward.database.url", "");
    settings.integer("onceward.api.port", 1, 0, 65_535, "port", "");

    assertThat(
            catchThrowableOfType(
                    ConfigurationException.class, () -> settings.verify("onceward.api"))
                .problems())
        .extracting(Problem::key)
        .containsExactly("onceward.databse.url");
  }

  @Test
  void names_below_a_passthrough_reach_the_client_from_every_source() throws IOException {
    Settings settings =
        Settings.of(
            Map.of("onceward.kafka.linger.ms", "5"),
            Map.of("ONCEWARD_KAFKA_BOOTSTRAP_SERVERS", "k:9092", "ONCEWARD_KAFKA_LINGER_MS", "7"),
            file("onceward.kafka.bootstrap.servers=f:9092", "onceward.kafka.client.id=c"));

    assertThat(settings.passthrough("onceward.kafka.", ""))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("bootstrap.servers", "k:9092", "linger.ms", "5", "client.id", "c"));
    settings.verify("onceward.kafka");
  }

  @Test
  void a_secret_never_shows_its_value() {
    Settings settings = Settings.of(Map.of("onceward.a.password", " s3cret "));
    Secret secret = settings.secret("onceward.a.password", "");

    assertThat(secret.reveal()).isEqualTo(" s3cret ");
    assertThat(secret).hasToString("***");
    assertThat(settings.describe().toString()).doesNotContain("s3cret");
  }

  @Test
  void a_secret_may_come_from_a_file_but_not_from_two_places() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "s3cret\n");
    String fileKey = "onceward.a.password-file";

    Settings one = Settings.of(Map.of(fileKey, file.toString()));
    assertThat(one.secret("onceward.a.password", "").reveal()).isEqualTo("s3cret");
    one.verify("onceward.a");

    Settings two = Settings.of(Map.of(fileKey, file.toString(), "onceward.a.password", "x"));
    two.secret("onceward.a.password", "");
    assertThat(problems(two)).extracting(Problem::key).containsExactly("onceward.a.password");

    Settings missing = Settings.of(Map.of(fileKey, folder.resolve("none").toString()));
    missing.secret("onceward.a.password", "");
    assertThatThrownBy(missing::verify).hasMessageContaining("NoSuchFileException");
  }

  @Test
  void a_password_inside_an_address_is_not_echoed() {
    Settings settings = Settings.of(Map.of("onceward.a.url", "https://me:s3cret@host/x"));
    settings.uri("onceward.a.url", "");

    assertThatThrownBy(settings::verify)
        .hasMessageContaining("***@host/x")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void a_missing_or_malformed_file_is_refused_by_name() throws IOException {
    Path missing = folder.resolve("none.properties");
    assertThatThrownBy(() -> Settings.of(Map.of(), Map.of(), missing))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(missing + " does not exist");
    Path malformed = file("a=\\u12");
    assertThatThrownBy(() -> Settings.of(Map.of(), Map.of(), malformed))
        .hasMessageContaining("malformed \\u escape");
    assertThatThrownBy(() -> Settings.of(Map.of(), Map.of(), folder))
        .hasMessageContaining("is not a regular file");
  }

  @Test
  void what_is_needed_before_the_file_is_refused_in_the_file() throws IOException {
    Settings settings = Settings.of(Map.of(), Map.of(), file("onceward.log.format=text"));

    assertThat(problems(settings)).extracting(Problem::key).containsExactly("onceward.log.format");
  }

  @Test
  void an_expression_in_a_value_is_taken_as_it_stands() {
    Settings settings = Settings.of(Map.of("onceward.a.password", "p${x}a,b\\c"));

    assertThat(settings.secret("onceward.a.password", "").reveal()).isEqualTo("p${x}a,b\\c");
  }

  @Test
  void settings_describe_themselves_in_the_order_of_reading() {
    Settings settings = Settings.of(Map.of());
    settings.integer("onceward.api.port", 8080, 0, 65_535, "port", "Where to listen.");
    settings.optionalText("onceward.api.host", "What to bind.");

    assertThat(settings.describe())
        .containsExactly(
            new Setting(
                "onceward.api.port",
                "whole number from 0 to 65535",
                "8080",
                "port",
                false,
                false,
                "Where to listen."),
            new Setting("onceward.api.host", "text", null, null, false, false, "What to bind."));
  }

  private static Duration duration(Settings settings, String key) {
    return settings.duration(key, Duration.ofSeconds(1), Duration.ZERO, Duration.ofHours(1), "");
  }

  private static List<Problem> problems(Settings settings) {
    return catchThrowableOfType(ConfigurationException.class, () -> settings.verify("onceward.a"))
        .problems();
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("onceward.properties"), List.of(lines));
  }
}
