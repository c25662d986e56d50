package dev.onceward.ops.workspace;

import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.db.workspace.KeyDetails;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward keys create|list|rotate|revoke}. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description = "Makes, lists, rotates and revokes access keys.",
    footer = {
      "",
      "Examples:",
      "  onceward keys create --workspace ID --user ID --name 'order service'",
      "  onceward keys rotate --workspace ID --key KEY --overlap PT1H --yes",
      "  onceward keys revoke --workspace ID --key KEY --yes"
    })
public final class KeysCommand implements Runnable {

  /** SQLSTATE foreign_key_violation. */
  private static final String FOREIGN_KEY_VIOLATION = "23503";

  private static final Duration MAX_OVERLAP = Duration.ofDays(30);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: create, list, rotate or revoke");
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Makes a key for a user and shows it, once.")
  int create(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
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
    try {
      token =
          InWorkspace.change(
              options,
              change,
              workspaceId,
              connection -> AccessKeyStore.create(connection, userId, name),
              made -> "created " + made.keyId());
    } catch (SQLException failure) {
      if (FOREIGN_KEY_VIOLATION.equals(failure.getSQLState())) {
        throw new ParameterException(
            spec.commandLine(), "workspace " + workspaceId + " has no user " + userId, failure);
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
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "ID",
              description = "The key's id: the middle part of ow_<id>_<secret>.")
          String keyId)
      throws SQLException {
    change.confirm("Calls with the key " + keyId + " are refused from now on, for good");
    InWorkspace.change(
        options,
        change,
        workspaceId,
        connection -> {
          if (!AccessKeyStore.revoke(connection, keyId)) {
            throw new ParameterException(
                spec.commandLine(),
                "workspace " + workspaceId + " has no key " + keyId + " that is still valid");
          }
          return keyId;
        },
        revoked -> "revoked " + revoked);
    PrintWriter out = spec.commandLine().getOut();
    out.println(options.json() ? OpsOptions.toJson(Map.of("revoked", keyId)) : "revoked " + keyId);
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists a workspace's keys, newest first, without their secrets.")
  int list(
      @Mixin OpsOptions options,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(names = "--user", paramLabel = "ID", description = "Only this user's.")
          @Nullable UUID userId)
      throws SQLException {
    List<KeyDetails> keys =
        InWorkspace.read(
            options,
            workspaceId,
            connection -> AccessKeyStore.list(connection, userId, null, Integer.MAX_VALUE));
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(keys.stream().map(Listed::of).toList()));
    } else {
      TextTable table = new TextTable("KEY", "STATE", "USER", "LAST USED", "NAME");
      for (KeyDetails key : keys) {
        table.row(
            key.keyId(),
            key.state().name().toLowerCase(Locale.ROOT),
            key.userId(),
            key.lastUsedAt(),
            key.name());
      }
      table.print(out);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description = "Makes a new key for the same user; the old one works on for the overlap.")
  int rotate(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "ID",
              description = "The old key's id: the middle part of ow_<id>_<secret>.")
          String keyId,
      @Option(
              names = "--overlap",
              defaultValue = "PT24H",
              paramLabel = "DURATION",
              description = "How long the old one works on, such as PT1H; default 24 hours.")
          Duration overlap)
      throws SQLException {
    if (overlap.isNegative() || overlap.compareTo(MAX_OVERLAP) > 0) {
      throw new ParameterException(
          spec.commandLine(), "the overlap " + overlap + " is not between PT0S and P30D");
    }
    change.confirm("The key " + keyId + " ends after " + overlap);
    AccessKeyToken token =
        InWorkspace.change(
            options,
            change,
            workspaceId,
            connection -> {
              KeyDetails old =
                  AccessKeyStore.details(connection, keyId)
                      .filter(key -> key.state() == KeyDetails.State.ACTIVE)
                      .orElseThrow(() -> notActive(workspaceId, keyId));
              AccessKeyToken next = AccessKeyStore.create(connection, old.userId(), old.name());
              if (!AccessKeyStore.replace(connection, keyId, next.keyId(), overlap)) {
                throw notActive(workspaceId, keyId);
              }
              return next;
            },
            next -> "rotated " + keyId + " to " + next.keyId());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        options.json()
            ? OpsOptions.toJson(
                new TreeMap<>(
                    Map.of(
                        "key_id", token.keyId(), "access_key", token.reveal(), "replaced", keyId)))
            : token.reveal());
    out.flush();
    return ExitCode.OK.number();
  }

  private ParameterException notActive(UUID workspaceId, String keyId) {
    return new ParameterException(
        spec.commandLine(),
        "workspace " + workspaceId + " has no key " + keyId + " that is active");
  }

  /** A row of the list. */
  record Listed(
      String keyId,
      UUID userId,
      String name,
      String state,
      Instant createdAt,
      @Nullable Instant endsAt,
      @Nullable String replacedBy,
      @Nullable Instant revokedAt,
      @Nullable Instant lastUsedAt) {
    static Listed of(KeyDetails key) {
      return new Listed(
          key.keyId(),
          key.userId(),
          key.name(),
          key.state().name().toLowerCase(Locale.ROOT),
          key.createdAt(),
          key.endsAt(),
          key.replacedBy(),
          key.revokedAt(),
          key.lastUsedAt());
    }
  }
}
