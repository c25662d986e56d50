package dev.onceward.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The description and the running service say the same. */
@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiDescriptionTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private final Tenant tenant;
  private final TestClient client;
  private final ApiDescription description;

  ApiDescriptionTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    tenant = database.newTenant();
    client = api.client(tenant);
    description =
        ApiDescription.parse(
            new TestClient(api.port(), "").get("/openapi.yaml").expect(200).body());
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void both_have_the_same_calls() {
    Set<String> described =
        description.calls().values().stream()
            .map(call -> call.method() + " " + call.path())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> answered =
        api.routes().stream()
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(described).isEqualTo(answered);
  }

  @Test
  void both_have_the_same_problem_codes() {
    JsonNode codes = description.root().at("/components/schemas/ProblemCode/enum");
    Set<String> described = new TreeSet<>();
    codes.forEach(code -> described.add(code.asText()));

    assertThat(described)
        .isEqualTo(
            Arrays.stream(ProblemCode.values())
                .map(ProblemCode::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void every_call_answers_as_described_and_every_described_member_is_seen() throws SQLException {
    api.sql(
        "UPDATE onceward.users SET role = 'installation_administrator' WHERE id = '%s'"
            .formatted(tenant.userId()));
    DescribedClient described = new DescribedClient(description, client);

    new StoreJourney(described, api).drive();
    new MediaJourney(described, api).drive();
    new ListingJourney(described, api).drive();
    new FlowJourney(described, api).drive();
    new AdministrationJourney(described, api).drive();
    new ServiceJourney(described).drive();

    assertThat(described.called()).isEqualTo(new TreeSet<>(description.calls().keySet()));
    assertThat(described.seenProperties()).containsExactlyElementsOf(answeredProperties());
  }

  @Test
  void the_page_loads_nothing_from_elsewhere() {
    TestClient anyone = new TestClient(api.port(), "");
    String page = anyone.get("/docs").expect(200).body();
    assertThat(page).doesNotContain("http:").doesNotContain("https:").doesNotContain("//");
    for (String part : new String[] {"swagger-ui.css", "swagger-ui-bundle.js", "page.js"}) {
      assertThat(page).contains("/docs/" + part);
      assertThat(anyone.get("/docs/" + part).expect(200).body()).isNotBlank();
    }
    assertThat(anyone.get("/docs").header("Content-Security-Policy"))
        .contains("default-src 'none'")
        .contains("connect-src 'self'");
    anyone.get("/docs/index.html").expectProblem(404, "NOT_FOUND");
    anyone.get("/docs/..%2fopenapi.yaml").expectProblem(400, "REQUEST_INVALID");
  }

  /** Every property that an answer without error may have. */
  private Set<String> answeredProperties() {
    Set<String> properties = new TreeSet<>();
    Set<String> visited = new TreeSet<>();
    Deque<String> schemas = new ArrayDeque<>();
    for (DescribedCall call : description.calls().values()) {
      call.node()
          .get("responses")
          .fieldNames()
          .forEachRemaining(
              status -> {
                String response =
                    description.resolvePointer(call.pointer() + "/responses/" + status);
                String schema = response + "/content/application~1json/schema";
                if (status.startsWith("2") && !description.root().at(schema).isMissingNode()) {
                  schemas.add(schema);
                }
              });
    }
    while (!schemas.isEmpty()) {
      String pointer = description.resolvePointer(schemas.remove());
      if (visited.add(pointer)) {
        JsonNode schema = description.root().at(pointer);
        schema
            .path("properties")
            .fieldNames()
            .forEachRemaining(
                name -> {
                  String property = pointer + "/properties/" + ApiDescription.escape(name);
                  properties.add(property);
                  schemas.add(property);
                });
        if (schema.has("items")) {
          schemas.add(pointer + "/items");
        }
      }
    }
    return properties;
  }
}
