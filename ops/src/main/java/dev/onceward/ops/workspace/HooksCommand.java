package dev.onceward.ops.workspace;

import dev.onceward.db.Database;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.hook.Hook;
import dev.onceward.db.hook.HookAction;
import dev.onceward.db.hook.HookStore;
import dev.onceward.db.hook.NewHook;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import dev.onceward.process.NamedKeys;
import dev.onceward.process.Settings;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward hooks create|list|rotate|disable|enable|delete}. */
@Command(
    name = "hooks",
    mixinStandardHelpOptions = true,
    description = "Makes, lists, rotates, switches and deletes inbound hooks.",
    footer = {
      "",
      "Examples:",
      "  onceward hooks create --workspace ID --name orders",
      "  onceward hooks list --workspace ID",
      "  onceward hooks rotate --workspace ID --hook ID --overlap PT1H --yes"
    })
public final class HooksCommand implements Runnable {

  private static final int CREDENTIAL_KEY_BYTES = 32;
  private static final Duration MAX_OVERLAP = Duration.ofDays(7);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what: create, list, rotate, disable, enable or delete");
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description =
          "Makes a hook and shows its secret, once. Needs onceward.credential-keys of the API.")
  int create(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(
              names = "--name",
              defaultValue = "hook",
              paramLabel = "NAME",
              description = "For people (default: ${DEFAULT-VALUE}).")
          String name,
      @Option(
              names = "--starts",
              paramLabel = "FLOW",
              description =
                  "The flow that a delivery starts; without it a delivery resolves to-dos.")
          @Nullable String flow)
      throws SQLException {
    WorkspacesCommand.checkName(spec, name);
    if (flow != null && Flow.ofLabel(flow).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no flow \"" + flow + "\"; there are " + String.join(", ", Flow.labels()));
    }
    HookStore hooks = hooks(options);
    HookAction action = flow == null ? HookAction.RESOLVE_TODO : HookAction.START_RUN;
    NewHook made =
        InWorkspace.change(
            options,
            change,
            workspaceId,
            connection -> hooks.create(connection, name, action, flow),
            hook -> "created " + hook.hook().id());
    return show(options, made);
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description =
          "Gives a hook a new secret and shows it, once; the old one counts for the overlap. Needs"
              + " onceward.credential-keys of the API.")
  int rotate(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(names = "--hook", required = true, paramLabel = "ID", description = "Its id.")
          UUID hookId,
      @Option(
              names = "--overlap",
              defaultValue = "PT24H",
              paramLabel = "DURATION",
              description = "How long the old one counts, such as PT1H; default 24 hours.")
          Duration overlap)
      throws SQLException {
    if (overlap.isNegative() || overlap.compareTo(MAX_OVERLAP) > 0) {
      throw new ParameterException(
          spec.commandLine(), "the overlap " + overlap + " is not between PT0S and P7D");
    }
    change.confirm("The present secret of the hook " + hookId + " ends after " + overlap);
    HookStore hooks = hooks(options);
    NewHook made =
        InWorkspace.change(
            options,
            change,
            workspaceId,
            connection ->
                hooks
                    .rotateSecret(connection, hookId, overlap)
                    .orElseThrow(() -> unknown(workspaceId, hookId)),
            hook -> "rotated " + hookId);
    return show(options, made);
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists a workspace's hooks, newest first, without their secrets.")
  int list(
      @Mixin OpsOptions options,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId)
      throws SQLException {
    List<Hook> hooks =
        InWorkspace.read(
            options,
            workspaceId,
            connection -> HookStore.list(connection, null, Integer.MAX_VALUE));
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(hooks.stream().map(Listed::of).toList()));
    } else {
      TextTable table = new TextTable("ID", "STATE", "ACTION", "FLOW", "NAME");
      for (Hook hook : hooks) {
        table.row(
            hook.id(),
            hook.enabled() ? "enabled" : "disabled",
            hook.action().label(),
            hook.flow(),
            hook.name());
      }
      table.print(out);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "disable",
      mixinStandardHelpOptions = true,
      description = "Refuses a hook's deliveries from now on.")
  int disable(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(names = "--hook", required = true, paramLabel = "ID", description = "Its id.")
          UUID hookId)
      throws SQLException {
    change.confirm("Refuses deliveries to the hook " + hookId + " from now on");
    return setEnabled(options, change, workspaceId, hookId, false);
  }

  @Command(
      name = "enable",
      mixinStandardHelpOptions = true,
      description = "Lets a hook's deliveries in again.")
  int enable(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(names = "--hook", required = true, paramLabel = "ID", description = "Its id.")
          UUID hookId)
      throws SQLException {
    return setEnabled(options, change, workspaceId, hookId, true);
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes a hook and its receipts.")
  int delete(
      @Mixin OpsOptions options,
      @Mixin ChangeOptions change,
      @Option(names = "--workspace", required = true, paramLabel = "ID", description = "Its id.")
          UUID workspaceId,
      @Option(names = "--hook", required = true, paramLabel = "ID", description = "Its id.")
          UUID hookId)
      throws SQLException {
    change.confirm("Deletes the hook " + hookId + " and its receipts; it cannot be taken back");
    return set(
        options,
        change,
        workspaceId,
        hookId,
        "deleted",
        connection -> HookStore.delete(connection, hookId));
  }

  private int setEnabled(
      OpsOptions options, ChangeOptions change, UUID workspaceId, UUID hookId, boolean enabled)
      throws SQLException {
    return set(
        options,
        change,
        workspaceId,
        hookId,
        enabled ? "enabled" : "disabled",
        connection -> HookStore.setEnabled(connection, hookId, enabled).isPresent());
  }

  /** The work says whether the hook was there. */
  private int set(
      OpsOptions options,
      ChangeOptions change,
      UUID workspaceId,
      UUID hookId,
      String what,
      Database.Work<Boolean> work)
      throws SQLException {
    InWorkspace.change(
        options,
        change,
        workspaceId,
        connection -> {
          if (!work.run(connection)) {
            throw unknown(workspaceId, hookId);
          }
          return hookId;
        },
        hook -> what + " " + hook);
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        options.json() ? OpsOptions.toJson(Map.of(what, hookId.toString())) : what + " " + hookId);
    out.flush();
    return ExitCode.OK.number();
  }

  private int show(OpsOptions options, NewHook made) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(new Shown(Listed.of(made.hook()), made.secret().reveal())));
    } else {
      out.println("path    /hooks/" + made.hook().id());
      out.println("secret  " + made.secret().reveal());
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private static HookStore hooks(OpsOptions options) {
    Settings settings = options.settings();
    Map<String, byte[]> keys =
        NamedKeys.read(
            settings,
            "onceward.credential-keys",
            CREDENTIAL_KEY_BYTES,
            CREDENTIAL_KEY_BYTES,
            "Keys that encrypt secrets of hooks, as the API has them.");
    settings.verify();
    return new HookStore(new CredentialCipher(keys));
  }

  private ParameterException unknown(UUID workspaceId, UUID hookId) {
    return new ParameterException(
        spec.commandLine(), "workspace " + workspaceId + " has no hook " + hookId);
  }

  /** A hook with its secret. */
  record Shown(Listed hook, String secret) {}

  /** A row of the list. */
  record Listed(
      UUID id,
      String name,
      String action,
      @Nullable String flow,
      boolean enabled,
      @Nullable Instant previousSecretExpiresAt,
      Instant createdAt) {
    static Listed of(Hook hook) {
      return new Listed(
          hook.id(),
          hook.name(),
          hook.action().label(),
          hook.flow(),
          hook.enabled(),
          hook.previousSecretExpiresAt(),
          hook.createdAt());
    }
  }
}
