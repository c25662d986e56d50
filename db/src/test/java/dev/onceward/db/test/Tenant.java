package dev.onceward.db.test;

import dev.onceward.db.Database;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.db.workspace.WorkspaceStore;
import java.sql.SQLException;
import java.util.UUID;

/** A workspace with one user, who administers it, and that user's access key. */
public record Tenant(UUID workspaceId, UUID userId, AccessKeyToken accessKey) {

  static Tenant create(Database app) throws SQLException {
    return app.inTransaction(
        connection -> {
          UUID workspaceId = WorkspaceStore.create(connection, "a workspace");
          UUID userId = UserStore.create(connection, "a user", Role.ADMINISTRATOR);
          return new Tenant(
              workspaceId, userId, AccessKeyStore.create(connection, userId, "a key"));
        });
  }
}
