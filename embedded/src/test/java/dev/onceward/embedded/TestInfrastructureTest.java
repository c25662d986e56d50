package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TestInfrastructureTest {
  @Test
  void the_variable_is_read_in_any_case_and_may_be_missing() {
    assertThat(TestInfrastructure.parse(null)).isEqualTo(TestInfrastructure.AUTOMATIC);
    assertThat(TestInfrastructure.parse(" ")).isEqualTo(TestInfrastructure.AUTOMATIC);
    assertThat(TestInfrastructure.parse("DOCKER")).isEqualTo(TestInfrastructure.DOCKER);
    assertThat(TestInfrastructure.parse(" embedded ")).isEqualTo(TestInfrastructure.EMBEDDED);
  }

  @Test
  void an_unknown_value_is_told_with_the_known_ones() {
    assertThatThrownBy(() -> TestInfrastructure.parse("podman"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("ONCEWARD_TEST_INFRA=podman")
        .hasMessageContaining("embedded, docker or automatic");
  }

  @Test
  void settings_become_the_image_s_variables() {
    assertThat(ContainerKafka.variable("log.dirs")).isEqualTo("KAFKA_LOG_DIRS");
    assertThat(ContainerKafka.variable("a_b-c.io")).isEqualTo("KAFKA_A__B___C_IO");
  }
}
