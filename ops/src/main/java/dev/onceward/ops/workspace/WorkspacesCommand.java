package dev.onceward.ops.workspace;

import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.db.workspace.Workspace;
import dev.onceward.db.workspace.WorkspaceStore;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code onceward workspaces create|list|rename}. */
@Command(
    name = "workspaces",
    mixinStandardHelpOptions = true,
    description = "Makes, lists and renames workspaces.",
    footer = {
      "",
      "Examples:",
      "  onceward workspaces create 'Shop and Sons' Ada",
      "  onceward workspaces list"
    })
public final class WorkspacesCommand implements Runnable {

  private static final int NAME_MAX = 200;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: create, list or rename");
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Makes a workspace and its first user, an administrator; prints both ids.")
  int create(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Parameters(paramLabel = "NAME", description = "For people, 1 to 200 characters.")
          String name,
      @Parameters(
              paramLabel = "USER",
              defaultValue = "admin",
              description = "Name of its first user (default: ${DEFAULT-VALUE}).")
          String userName)
      throws SQLException {
    checkName(spec, name);
    checkName(spec, userName);
    UUID workspaceId;
    UUID userId;
    try (Connection connection = options.connect(options.settings(), OpsOptions.WRITING_ROLE)) {
      connection.setAutoCommit(false);
      workspaceId = WorkspaceStore.create(connection, name);
      userId = UserStore.create(connection, userName, Role.ADMINISTRATOR);
      change.end(connection, "created " + workspaceId + " with user " + userId);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(
          OpsOptions.toJson(new TreeMap<>(Map.of("workspace_id", workspaceId, "user_id", userId))));
    } else {
      out.println("workspace  " + workspaceId);
      out.println("user       " + userId);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the workspaces, oldest first.")
  int list(@Mixin OpsOptions options) throws SQLException {
    List<Listed> workspaces = new ArrayList<>();
    String sql =
        "SELECT workspace_id, name, created_at FROM onceward.workspaces ORDER BY workspace_id";
    try (Connection connection = options.connect(options.settings(), OpsOptions.READING_ROLE);
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        workspaces.add(
            new Listed(
                row.getObject(1, UUID.class), row.getString(2), row.getTimestamp(3).toInstant()));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(workspaces));
    } else {
      TextTable table = new TextTable("ID", "CREATED", "NAME");
      workspaces.forEach(each -> table.row(each.workspaceId(), each.createdAt(), each.name()));
      table.print(out);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "rename",
      mixinStandardHelpOptions = true,
      description = "Gives a workspace another name.")
  int rename(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Parameters(paramLabel = "ID", description = "Its id.") UUID workspaceId,
      @Parameters(paramLabel = "NAME", description = "For people, 1 to 200 characters.")
          String name)
      throws SQLException {
    checkName(spec, name);
    Workspace renamed =
        InWorkspace.change(
            options,
            change,
            workspaceId,
            connection ->
                WorkspaceStore.rename(connection, name)
                    .orElseThrow(
                        () ->
                            new ParameterException(
                                spec.commandLine(), "there is no workspace " + workspaceId)),
            done -> "renamed " + done.id());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        options.json()
            ? OpsOptions.toJson(new Listed(renamed.id(), renamed.name(), renamed.createdAt()))
            : renamed.id() + "  " + renamed.name());
    out.flush();
    return ExitCode.OK.number();
  }

  /** Refuses a workspace that does not exist; the connection's transaction is in it. */
  static void requireExists(CommandSpec spec, Connection connection, UUID workspaceId)
      throws SQLException {
    if (WorkspaceStore.find(connection).isEmpty()) {
      throw new ParameterException(spec.commandLine(), "there is no workspace " + workspaceId);
    }
  }

  static void checkName(CommandSpec spec, String name) {
    int length = name.codePointCount(0, name.length());
    if (name.isBlank() || length > NAME_MAX) {
      throw new ParameterException(
          spec.commandLine(),
          "the name \"" + name + "\" has " + length + " characters; give 1 to " + NAME_MAX);
    }
  }

  /** A row of the list. */
  record Listed(UUID workspaceId, String name, Instant createdAt) {}
}
