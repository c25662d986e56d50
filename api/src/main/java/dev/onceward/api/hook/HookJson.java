package dev.onceward.api.hook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.db.hook.Hook;
import dev.onceward.db.hook.NewHook;

/** The JSON of a hook. */
final class HookJson {
  private HookJson() {}

  static ObjectNode of(Hook hook) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", hook.id().toString());
    json.put("name", hook.name());
    ObjectNode action = json.putObject("action");
    action.put("type", hook.action().label());
    if (hook.flow() != null) {
      action.put("flow", hook.flow());
    }
    json.put("path", "/hooks/" + hook.id());
    json.put("enabled", hook.enabled());
    if (hook.previousSecretExpiresAt() != null) {
      json.put("previous_secret_expires_at", hook.previousSecretExpiresAt().toString());
    }
    json.put("created_at", hook.createdAt().toString());
    json.put("updated_at", hook.updatedAt().toString());
    return json;
  }

  /** With the secret, for the one answer that shows it. */
  static ObjectNode withSecret(NewHook made) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("hook", of(made.hook()));
    json.put("secret", made.secret().reveal());
    return json;
  }
}
