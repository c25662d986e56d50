package dev.onceward.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.hook.TestSender;
import java.sql.SQLException;

/** Calls everything about runs, to-dos and hooks. */
record FlowJourney(DescribedClient client, TestApi api) {

  void drive() throws SQLException {
    String run = client.call("startRun").get("run_id").asText();
    String todo = todoOf(run);
    client.call("getTodo", "{id}", todo);
    client.call("resolveTodo", "{id}", todo);
    client.call("getTodo", "{id}", todo);
    api.sql(
        "UPDATE onceward.runs SET state = 'ended', outcome = 'approved', ended_at = now() WHERE id = '%s'"
            .formatted(run));
    client.call("getRun", "{id}", run);
    String second = client.call("startRun").get("run_id").asText();
    String open = todoOf(second);
    client.call("listRuns", "?limit", "1");
    client.call("listTodos", "?limit", "1");

    hooks(open);
  }

  private void hooks(String todo) {
    JsonNode made = client.call("createHook");
    String hook = made.at("/hook/id").asText();
    JsonNode rotated = client.call("rotateHookSecret", "{id}", hook);
    deliver(hook, rotated, client.example("deliver"));
    client.call("disableHook", "{id}", hook);
    client.call("enableHook", "{id}", hook);

    ObjectNode resolver = client.example("createHook");
    ((ObjectNode) resolver.get("action")).put("type", "resolve_todo").remove("flow");
    JsonNode resolving = client.call("createHook", resolver);
    ObjectNode delivery = new ObjectMapper().createObjectNode();
    delivery.putObject("data").put("todo_id", todo).put("decision", "reject");
    deliver(resolving.at("/hook/id").asText(), resolving, delivery);

    client.call("getHook", "{id}", hook);
    client.call("listHooks", "?limit", "1");
    client.call("deleteHook", "{id}", hook);
  }

  private void deliver(String hook, JsonNode withSecret, JsonNode body) {
    TestSender sender = new TestSender(api.port(), hook, withSecret.get("secret").asText());
    client.hold("deliver", sender.deliver("msg-" + hook, body.toString()));
  }

  private String todoOf(String run) throws SQLException {
    api.sql(
        """
        INSERT INTO onceward.todos (workspace_id, run_id, name)
          SELECT workspace_id, id, 'approve' FROM onceward.runs WHERE id = '%1$s';
        UPDATE onceward.runs SET state = 'waiting' WHERE id = '%1$s'
        """
            .formatted(run));
    return api.text("SELECT id FROM onceward.todos WHERE run_id = '%s'".formatted(run));
  }
}
