package dev.onceward.ops.relay;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.db.relay.RelayRefusedException;
import dev.onceward.db.relay.RelayRepair;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward relay status|pause|resume|repair}. */
@Command(
    name = "relay",
    mixinStandardHelpOptions = true,
    description =
        "Pauses a relay, or tells it that its database was restored or upgraded. Which one:"
            + " onceward.relay.slot-name.",
    footer = {
      "",
      "Examples:",
      "  onceward relay status",
      "  onceward relay pause --dry-run",
      "  onceward relay repair --restored --yes"
    })
public final class RelayCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: status, pause, resume or repair");
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Shows what the relay remembers, whether it is paused, and who leads.")
  int status(@Mixin OpsOptions options) throws SQLException {
    return ask(
        options,
        OpsOptions.READING_ROLE,
        (connection, relay) -> show(options, RelayControl.look(connection, relay)));
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Ends the stream and lets none begin; events wait in the log meanwhile.")
  int pause(@Mixin OpsOptions options, @Mixin ChangeOptions change) throws SQLException {
    change.confirm(
        "Nothing is sent to Kafka until the relay is resumed; the log is kept meanwhile");
    return ask(
        options,
        OpsOptions.WRITING_ROLE,
        (connection, relay) -> {
          boolean paused = RelayControl.pause(connection, relay, change.operator());
          RelayControl.Relay after = RelayControl.look(connection, relay);
          change.end(connection, relay + (paused ? " paused" : " was paused already"));
          return show(options, after);
        });
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Lets a paused relay go on where it was.")
  int resume(@Mixin OpsOptions options, @Mixin ChangeOptions change) throws SQLException {
    return ask(
        options,
        OpsOptions.WRITING_ROLE,
        (connection, relay) -> {
          boolean resumed = RelayControl.resume(connection, relay);
          RelayControl.Relay after = RelayControl.look(connection, relay);
          change.end(connection, relay + (resumed ? " resumed" : " was not paused"));
          return show(options, after);
        });
  }

  @Command(
      name = "repair",
      mixinStandardHelpOptions = true,
      description =
          "Tells a stopped relay what happened to its database. Recorded in relay_repairs.")
  int repair(
      @Mixin OpsOptions options,
      @ArgGroup(exclusive = true, multiplicity = "1") What what,
      @Mixin ChangeOptions change)
      throws SQLException {
    change.confirm(what.consequence());
    return ask(
        options,
        OpsOptions.WRITING_ROLE,
        (connection, relay) -> {
          RelayRepair.Done done =
              RelayRepair.run(connection, relay, what.kind(), change.operator());
          change.end(connection, relay + " repaired, rows renumbered: " + done.renumberedRows());
          return show(options, relay, done, change.isDryRun());
        });
  }

  /** What happened. */
  static final class What {
    @Option(
        names = "--restored",
        required = true,
        description =
            "An older state came back (backup, failover that lost transactions, dump): the next"
                + " term compares the whole outbox with Kafka.")
    private boolean restored;

    @Option(
        names = "--upgraded",
        required = true,
        description = "pg_upgrade: what was audited stays so.")
    private boolean upgraded;

    RelayRepair.Kind kind() {
      return upgraded && !restored ? RelayRepair.Kind.UPGRADED : RelayRepair.Kind.RESTORED;
    }

    String consequence() {
      return kind() == RelayRepair.Kind.RESTORED
          ? "The relay forgets what it has delivered and audited, and compares the whole outbox"
              + " with Kafka"
          : "The relay takes this server for the one that it knew, with all that it has audited";
    }
  }

  /** Something about one relay, in one transaction. */
  @FunctionalInterface
  private interface Act {
    int on(Connection connection, String relay) throws SQLException, RelayRefusedException;
  }

  private static int ask(OpsOptions options, String role, Act act) throws SQLException {
    Settings settings = options.settings();
    String relay =
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
    try (Connection connection = options.connect(settings, role)) {
      connection.setAutoCommit(false);
      return act.on(connection, relay);
    } catch (RelayRefusedException e) {
      throw new StartupException(ExitCode.FAILURE, Objects.toString(e.getMessage()), e.remedy(), e);
    }
  }

  private int show(OpsOptions options, RelayControl.Relay relay) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(relay));
    } else {
      line(out, "relay", relay.relay());
      line(out, "paused", paused(relay.pausedAt(), relay.pausedBy()));
      line(
          out,
          "leader",
          relay.leaderPid() == null ? "none" : "server process " + relay.leaderPid());
      line(out, "server", relay.systemIdentifier());
      line(out, "delivered", relay.deliveredAt());
      line(out, "audited", relay.auditedAt());
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private static String paused(@Nullable Instant at, @Nullable String by) {
    return at == null ? "no" : "since " + at + " by " + by;
  }

  private int show(OpsOptions options, String relay, RelayRepair.Done done, boolean dryRun) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(new Repaired(relay, dryRun, done)));
    } else {
      line(out, "relay", relay + (dryRun ? " (dry run: nothing is changed)" : ""));
      line(out, "server", done.oldSystemIdentifier() + " -> " + done.newSystemIdentifier());
      line(out, "delivered before", done.oldDeliveredSnapshot());
      line(out, "audited before", done.oldAuditedSnapshot());
      line(out, "rows renumbered", done.renumberedRows());
    }
    out.flush();
    return ExitCode.OK.number();
  }

  /** A repair as JSON. */
  record Repaired(String relay, boolean dryRun, RelayRepair.Done repair) {}

  private static void line(PrintWriter out, String name, @Nullable Object value) {
    out.println(String.format(Locale.ROOT, "%-17s%s", name, value == null ? "-" : value));
  }
}
