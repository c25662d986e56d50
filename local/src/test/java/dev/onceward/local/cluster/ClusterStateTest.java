package dev.onceward.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.process.Secret;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterStateTest {

  @TempDir private Path directory;

  @Test
  void what_was_saved_is_loaded() {
    Path file = directory.resolve("cluster.properties");
    ClusterState state =
        ClusterState.fresh()
            .withPorts(new ClusterPorts(1, 2, 3, 4, 5, 6, 7))
            .withAccess(
                new WorkspaceAccess(UUID.randomUUID(), UUID.randomUUID(), new Secret("ow_a_b")));

    state.save(file);

    assertThat(ClusterState.load(file)).isEqualTo(state);
  }

  @Test
  void a_missing_file_is_a_new_cluster() {
    assertThat(ClusterState.load(directory.resolve("cluster.properties"))).isNull();
  }

  @Test
  void only_the_owner_can_read_the_file() throws IOException {
    Path file = directory.resolve("cluster.properties");

    ClusterState.fresh().save(file);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void passwords_and_keys_differ_from_cluster_to_cluster_and_are_not_printed() {
    ClusterState one = ClusterState.fresh();
    ClusterState other = ClusterState.fresh();

    assertThat(one.secrets()).isNotEqualTo(other.secrets());
    assertThat(one.toString()).doesNotContain(one.secrets().password(ClusterSecrets.APP));
  }

  @Test
  void a_damaged_file_is_refused_by_name_and_left_as_it_is() throws IOException {
    Path file = directory.resolve("cluster.properties");
    ClusterState.fresh().save(file);
    String damaged = Files.readString(file).replaceAll("port.kafka=.*", "port.kafka=many");
    Files.writeString(file, damaged);

    assertThatThrownBy(() -> ClusterState.load(file))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("port.kafka is \"many\"");
    assertThat(file).hasContent(damaged);
  }

  @Test
  void a_file_of_another_format_is_refused() throws IOException {
    Path file = directory.resolve("cluster.properties");
    Files.writeString(file, "format=2\n");

    assertThatThrownBy(() -> ClusterState.load(file)).hasMessageContaining("its format is \"2\"");
  }
}
