package dev.onceward.ops.workspace;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.ops.OpsOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward keys create|revoke}. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description = "Makes and revokes access keys.")
public final class KeysCommand implements Runnable {

  /** SQLSTATE foreign_key_violation. */
  private static final String FOREIGN_KEY_VIOLATION = "23503";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: create or revoke");
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Makes a key for a user and shows it, once.")
  int create(
      @Mixin OpsOptions options,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(names = "--user", required = true, paramLabel = "ID", description = "Its id.")
          UUID userId,
      @Option(
              names = "--name",
              defaultValue = "key",
              paramLabel = "NAME",
              description = "For people (default: ${DEFAULT-VALUE}).")
          String name)
      throws SQLException {
    WorkspacesCommand.checkName(spec, name);
    AccessKeyToken token;
    try (Connection connection = options.connect(options.settings(), OpsOptions.WRITING_ROLE)) {
      connection.setAutoCommit(false);
      WorkspaceContext.set(connection, workspaceId);
      token = AccessKeyStore.create(connection, userId, name);
      connection.commit();
    } catch (SQLException failure) {
      if (FOREIGN_KEY_VIOLATION.equals(failure.getSQLState())) {
        throw new ParameterException(
            spec.commandLine(),
            "workspace " + workspaceId + " has no user " + userId + "",
            failure);
      }
      throw failure;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        options.json()
            ? OpsOptions.toJson(
                new TreeMap<>(Map.of("key_id", token.keyId(), "access_key", token.reveal())))
            : token.reveal());
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "revoke",
      mixinStandardHelpOptions = true,
      description = "Takes a key back; calls with it are refused from then on.")
  int revoke(
      @Mixin OpsOptions options,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "ID",
              description = "The key's id: the middle part of ow_<id>_<secret>.")
          String keyId)
      throws SQLException {
    boolean revoked;
    try (Connection connection = options.connect(options.settings(), OpsOptions.WRITING_ROLE)) {
      connection.setAutoCommit(false);
      WorkspaceContext.set(connection, workspaceId);
      revoked = AccessKeyStore.revoke(connection, keyId);
      connection.commit();
    }
    if (!revoked) {
      throw new ParameterException(
          spec.commandLine(),
          "workspace " + workspaceId + " has no key " + keyId + " that is still valid");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(options.json() ? OpsOptions.toJson(Map.of("revoked", keyId)) : "revoked " + keyId);
    out.flush();
    return ExitCode.OK.number();
  }
}
