package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.embedded.junit.Needed;
import dev.onceward.local.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client of {@code docs/api.md}, which is driven by the served description alone, does the
 * demo's scenario. Where its modules are not installed it is skipped, but never in the build
 * ({@link Needed}).
 */
@ExtendWith(ClusterExtension.class)
final class DescribedClientTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path MODULES = ROOT.resolve(".ci").resolve("node_modules");
  private static final long LIMIT_SECONDS = 90;

  @Test
  void a_client_made_from_the_description_creates_a_store_once(
      LocalCluster cluster, @TempDir Path folder) throws Exception {
    needModules();

    JsonNode told = run(cluster, folder);

    JsonNode first = told.path("first");
    assertThat(first.path("status").asInt()).isEqualTo(202);
    assertThat(first.has("replayed")).isFalse();
    assertThat(told.at("/again/status").asInt()).isEqualTo(202);
    assertThat(told.at("/again/replayed").asText()).isEqualTo("true");
    assertThat(told.at("/again/data")).isEqualTo(first.path("data"));
    assertThat(told.at("/operation/id")).isEqualTo(first.at("/data/operation/id"));
    assertThat(told.at("/operation/state").asText()).isEqualTo("succeeded");
    assertThat(told.at("/operation/result/outcome").asText()).isEqualTo("verified");
    assertThat(told.at("/store/verification").asText()).isEqualTo("verified");
    assertThat(told.at("/stores/items/0")).isEqualTo(told.path("store"));

    String externalId = told.at("/store/external_id").asText();
    PipelineRows rows = new PipelineRows(cluster, externalId);
    assertThat(rows.operations()).extracting(OperationRow::state).containsExactly("succeeded");
    assertThat(rows.eventIds()).hasSize(1);
    new EffectAudit(cluster.platform().ledger()).eachHasOneEffect(rows.operations());
  }

  private static JsonNode run(LocalCluster cluster, Path folder) throws Exception {
    Files.createSymbolicLink(folder.resolve("node_modules"), MODULES);
    Path client = Files.writeString(folder.resolve("client.mjs"), example());
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder("node", client.toString())
            .directory(folder.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().put("OPENAPI_URL", cluster.apiUrl().resolve("/openapi.yaml").toString());
    builder.environment().put("ACCESS_KEY", cluster.access().accessKey().reveal());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as("%s", Files.readString(errors)).isZero();
    return new ObjectMapper().readTree(Files.readString(output));
  }

  /** The one block of JavaScript on the page. */
  private static String example() throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("api.md"));
    Matcher block = Pattern.compile("```javascript\n(?<code>.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).as("a JavaScript example").isTrue();
    return block.group("code");
  }

  private static void needModules() {
    List<String> missing =
        Stream.of("openapi-client-axios", "axios", "js-yaml")
            .filter(module -> !Files.isDirectory(MODULES.resolve(module)))
            .toList();
    Needed.require(
        missing.isEmpty(), "npm install --prefix .ci --no-package-lock brings " + missing);
  }
}
