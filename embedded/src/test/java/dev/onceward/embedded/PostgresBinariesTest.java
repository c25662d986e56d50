package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {
  @TempDir Path directory;

  @Test
  void several_who_unpack_at_once_get_the_same_whole_copy() throws Exception {
    Stream<PostgresBinaries> unpacked =
        IntStream.range(0, 3)
            .parallel()
            .mapToObj(i -> PostgresBinaries.unpack(PostgresBinaries.archive(), directory));
    assertThat(unpacked.distinct()).hasSize(1);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void a_place_that_cannot_be_written_is_named_with_the_variable_to_set() throws Exception {
    Path file = Files.createFile(directory.resolve("a file"));
    assertThatThrownBy(() -> PostgresBinaries.unpack(PostgresBinaries.archive(), file))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("ONCEWARD_EMBEDDED_CACHE");
  }

  @Test
  void an_archive_that_is_not_on_the_class_path_is_named() {
    assertThatThrownBy(() -> PostgresBinaries.unpack("/postgres-plan9-mips.txz", directory))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("/postgres-plan9-mips.txz");
  }

  @Test
  void every_supported_platform_has_its_archive_on_the_class_path() {
    for (String os : new String[] {"linux", "darwin"}) {
      for (String cpu : new String[] {"x86_64", "arm_64"}) {
        assertThat(getClass().getResource("/postgres-" + os + "-" + cpu + ".txz")).isNotNull();
      }
    }
  }
}
