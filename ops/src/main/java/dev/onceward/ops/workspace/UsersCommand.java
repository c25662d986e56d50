package dev.onceward.ops.workspace;

import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.User;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code onceward users create|list|disable|enable}. */
@Command(
    name = "users",
    mixinStandardHelpOptions = true,
    description = "Makes, lists, disables and enables users.",
    footer = {
      "",
      "Examples:",
      "  onceward users create --workspace ID --role administrator Ada",
      "  onceward users list --workspace ID --output json",
      "  onceward users disable --workspace ID USER --yes"
    })
public final class UsersCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: create, list, disable or enable");
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Makes a user of a workspace.")
  int create(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(
              names = "--role",
              defaultValue = "member",
              paramLabel = "ROLE",
              description =
                  "member, administrator (of the workspace), or installation_administrator, who may"
                      + " make workspaces over HTTP (default: ${DEFAULT-VALUE}).")
          String role,
      @Parameters(paramLabel = "NAME", description = "For people, 1 to 200 characters.")
          String name)
      throws SQLException {
    WorkspacesCommand.checkName(spec, name);
    Role wanted =
        Role.ofLabel(role)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "\""
                            + role
                            + "\" is no role; give member, administrator or"
                            + " installation_administrator"));
    User user =
        InWorkspace.change(
            options,
            change,
            workspaceId,
            connection -> {
              WorkspacesCommand.requireExists(spec, connection, workspaceId);
              UUID id = UserStore.create(connection, name, wanted);
              return UserStore.find(connection, id).orElseThrow();
            },
            made -> "created " + made.id());
    print(options, user);
    return ExitCode.OK.number();
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists a workspace's users, newest first.")
  int list(
      @Mixin OpsOptions options,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId)
      throws SQLException {
    List<User> users =
        InWorkspace.read(
            options,
            workspaceId,
            connection -> UserStore.list(connection, null, Integer.MAX_VALUE));
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(users.stream().map(Listed::of).toList()));
    } else {
      table(users).print(out);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "disable",
      mixinStandardHelpOptions = true,
      description = "Has all keys of a user refused from now on.")
  int disable(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Parameters(paramLabel = "ID", description = "The user's id.") UUID userId)
      throws SQLException {
    change.confirm("All keys of the user " + userId + " are refused from now on");
    return set(options, change, workspaceId, userId, true);
  }

  @Command(
      name = "enable",
      mixinStandardHelpOptions = true,
      description = "Lets a disabled user call again.")
  int enable(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Parameters(paramLabel = "ID", description = "The user's id.") UUID userId)
      throws SQLException {
    return set(options, change, workspaceId, userId, false);
  }

  private int set(
      OpsOptions options, ChangeOptions change, UUID workspaceId, UUID userId, boolean disabled)
      throws SQLException {
    User user =
        InWorkspace.change(
            options,
            change,
            workspaceId,
            connection -> {
              User before =
                  UserStore.find(connection, userId)
                      .orElseThrow(
                          () ->
                              new ParameterException(
                                  spec.commandLine(),
                                  "workspace " + workspaceId + " has no user " + userId));
              return UserStore.update(connection, userId, before.name(), before.role(), disabled)
                  .orElseThrow();
            },
            after -> (disabled ? "disabled " : "enabled ") + after.id());
    print(options, user);
    return ExitCode.OK.number();
  }

  private void print(OpsOptions options, User user) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(Listed.of(user)));
    } else {
      table(List.of(user)).print(out);
    }
    out.flush();
  }

  private static TextTable table(List<User> users) {
    TextTable table = new TextTable("ID", "ROLE", "DISABLED", "NAME");
    users.forEach(
        user -> table.row(user.id(), user.role().label(), user.disabledAt(), user.name()));
    return table;
  }

  /** A row of the list. */
  record Listed(
      UUID userId, String name, String role, @Nullable Instant disabledAt, Instant createdAt) {
    static Listed of(User user) {
      return new Listed(
          user.id(), user.name(), user.role().label(), user.disabledAt(), user.createdAt());
    }
  }
}
