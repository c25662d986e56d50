package dev.onceward.event;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.event.route.TopicNames;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

class AsyncApiTest {
  private static final UUID ID = UUID.fromString("0193779f-0c04-7abc-8def-0123456789ab");
  private static final RecordBuilder BUILDER =
      new RecordBuilder(
          TopicNames.withPrefix(TopicNames.DEFAULT_PREFIX), Partitioner.AGGREGATE, topic -> 6);

  private final EventsDescription description;

  AsyncApiTest() throws IOException {
    description = new EventsDescription();
  }

  @Test
  void every_reference_leads_somewhere() throws IOException {
    JsonNode resolved = description.resolved(description.root());

    assertThat(resolved.path("asyncapi").asText()).isEqualTo("3.0.0");
    assertThat(resolved.findParents("$ref")).isEmpty();
  }

  @Test
  void every_schema_is_a_message_and_every_message_has_its_schema() throws Exception {
    Path folder = Path.of(EventSchemas.class.getResource("schema").toURI());
    List<String> schemas;
    try (Stream<Path> files = Files.list(folder)) {
      schemas = files.map(file -> file.getFileName().toString()).sorted().toList();
    }

    List<String> named = new ArrayList<>();
    for (Map.Entry<String, JsonNode> event : description.events().entrySet()) {
      String type = constant(event.getValue(), "event_type");
      int version = Integer.parseInt(constant(event.getValue(), "payload_version"));
      named.add(type + ".v" + version + ".json");
      JsonNode schema = new ObjectMapper().readTree(EventSchemas.find(type, version).orElseThrow());
      assertThat(event.getValue().at("/payload/allOf/1/properties/payload")).isEqualTo(schema);
      assertThat(schema.path("$id").asText())
          .isEqualTo("urn:onceward:schema:event:" + type + ":" + version);
      assertThat(schema.path("title")).isEqualTo(event.getValue().path("title"));
      assertThat(event.getValue().path("name").asText()).isEqualTo(type);
    }
    assertThat(schemas).isNotEmpty().isEqualTo(named.stream().sorted().toList());
  }

  @Test
  void every_message_is_sent_on_the_topic_of_its_aggregate_type_alone() throws IOException {
    Map<String, String> channels = new TreeMap<>();
    for (JsonNode channel : description.root().path("channels")) {
      for (Map.Entry<String, JsonNode> message : channel.path("messages").properties()) {
        assertThat(channels.put(message.getKey(), channel.path("address").asText())).isNull();
      }
    }
    List<String> sent = new ArrayList<>();
    for (JsonNode operation : description.root().path("operations")) {
      String channel = operation.at("/channel/$ref").asText();
      for (JsonNode message : operation.path("messages")) {
        String reference = message.path("$ref").asText();
        assertThat(reference).startsWith(channel + "/messages/");
        sent.add(reference.substring(reference.lastIndexOf('/') + 1));
      }
    }

    assertThat(channels.remove("dead_letter"))
        .isEqualTo(TopicNames.deadLetterOf(TopicNames.DEFAULT_PREFIX + "{aggregateType}"));
    assertThat(channels.keySet()).isEqualTo(description.events().keySet());
    assertThat(sent).containsOnlyOnceElementsOf(channels.keySet()).contains("dead_letter");
    for (Map.Entry<String, JsonNode> event : description.events().entrySet()) {
      assertThat(channels.get(event.getKey())).isEqualTo(record(event.getValue()).topic());
    }
  }

  @Test
  void a_record_that_holds_a_schemas_example_is_as_described() throws IOException {
    for (JsonNode event : description.events().values()) {
      EventRecord record = record(event);
      String value = new String(record.value(), StandardCharsets.UTF_8);
      JsonNode payload = event.path("payload");

      assertThat(EventsDescription.problems(payload, value)).as(value).isEmpty();
      assertThat(EventsDescription.problems(payload, value.replace(":1,", ":2,"))).isNotEmpty();
      assertThat(
              EventsDescription.problems(
                  payload, value.replace("\"payload\":{", "\"payload\":null,\"x\":{")))
          .isNotEmpty();
      assertThat(EventsDescription.problems(payload, value.replace("\":{\"", "\":{\"other_")))
          .isNotEmpty();
      for (Header header : record.headers()) {
        assertThat(headers("event")).contains(header.key());
      }
      assertThat(
              EventsDescription.problems(
                  event.at("/traits/0/bindings/kafka/key"),
                  '"' + new String(record.key(), StandardCharsets.UTF_8) + '"'))
          .isEmpty();
    }
  }

  @Test
  void the_headers_are_those_of_the_code() throws Exception {
    assertThat(headers("event")).isEqualTo(constants(EventHeaders.class));
    assertThat(headers("dead_letter")).isEqualTo(constants(DeadLetterHeaders.class));
  }

  @Test
  void the_page_about_events_lists_them_with_their_members() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "events.md"));

    for (Map.Entry<String, JsonNode> event : description.events().entrySet()) {
      JsonNode properties = event.getValue().at("/payload/allOf/1/properties/payload/properties");
      String members =
          names(properties).stream().map(name -> '`' + name + '`').collect(joining(", "));
      assertThat(page).contains("| `" + event.getKey() + "` | 1 | " + members + " |");
      assertThat(page).contains("`onceward." + constant(event.getValue(), "aggregate_type") + "`");
    }
  }

  @Test
  void what_is_no_known_type_or_version_has_no_schema() {
    assertThat(EventSchemas.find("run.started", 1)).isPresent();
    assertThat(EventSchemas.find("run.started", 2)).isEmpty();
    assertThat(EventSchemas.find("run.unheard_of", 1)).isEmpty();
    assertThat(EventSchemas.find("../schema/run.started", 1)).isEmpty();
    assertThat(EventSchemas.envelope()).contains("urn:onceward:schema:envelope:1");
  }

  private static EventRecord record(JsonNode event) {
    String aggregateType = constant(event, "aggregate_type");
    return BUILDER.build(
        new OutboxRow(
            ID,
            ID,
            constant(event, "event_type"),
            Integer.parseInt(constant(event, "payload_version")),
            aggregateType,
            "a",
            aggregateType,
            "a",
            "b",
            "c",
            "d",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            RawJson.of(event.at("/payload/allOf/1/properties/payload/examples/0").toString())));
  }

  private static String constant(JsonNode event, String member) {
    return event.at("/payload/allOf/1/properties/" + member + "/const").asText();
  }

  private Set<String> headers(String trait) {
    return new TreeSet<>(
        names(description.root().at("/components/messageTraits/" + trait + "/headers/properties")));
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Set<String> constants(Class<?> names) throws IllegalAccessException {
    Set<String> constants = new TreeSet<>();
    for (Field field : names.getFields()) {
      constants.add((String) field.get(null));
    }
    return constants;
  }
}
