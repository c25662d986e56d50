package dev.onceward.api.workspace;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.db.workspace.KeyDetails;
import dev.onceward.db.workspace.User;
import dev.onceward.db.workspace.Workspace;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The JSON of workspaces, users and access keys. */
final class WorkspaceJson {
  private WorkspaceJson() {}

  static ObjectNode of(Workspace workspace) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", workspace.id().toString());
    json.put("name", workspace.name());
    json.put("created_at", workspace.createdAt().toString());
    json.put("updated_at", workspace.updatedAt().toString());
    return json;
  }

  static ObjectNode of(User user) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", user.id().toString());
    json.put("name", user.name());
    json.put("role", user.role().label());
    json.put("disabled", user.disabledAt() != null);
    put(json, "disabled_at", user.disabledAt());
    json.put("created_at", user.createdAt().toString());
    json.put("updated_at", user.updatedAt().toString());
    return json;
  }

  static ObjectNode of(KeyDetails key) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("key_id", key.keyId());
    json.put("user_id", key.userId().toString());
    json.put("name", key.name());
    json.put("state", key.state().name().toLowerCase(Locale.ROOT));
    json.put("created_at", key.createdAt().toString());
    put(json, "ends_at", key.endsAt());
    if (key.replacedBy() != null) {
      json.put("replaced_by", key.replacedBy());
    }
    put(json, "revoked_at", key.revokedAt());
    put(json, "last_used_at", key.lastUsedAt());
    return json;
  }

  /** A key that was just made, with what will not be shown again. */
  static ObjectNode of(KeyDetails key, AccessKeyToken token) {
    return of(key).put("access_key", token.reveal());
  }

  private static void put(ObjectNode json, String name, @Nullable Instant at) {
    if (at != null) {
      json.put(name, at.toString());
    }
  }
}
