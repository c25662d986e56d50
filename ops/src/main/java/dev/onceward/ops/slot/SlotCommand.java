package dev.onceward.ops.slot;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.show.ByteText;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward slot show|drop|recreate}. */
@Command(
    name = "slot",
    mixinStandardHelpOptions = true,
    description =
        "Shows, drops and makes again the relay's replication slot, which keeps PostgreSQL's log"
            + " for it. Which one: onceward.relay.slot-name.",
    footer = {
      "",
      "To drop or make a slot a role must be allowed to replicate: onceward.ops.slot-user and"
          + " onceward.ops.slot-password.",
      "",
      "Examples:",
      "  onceward slot show",
      "  onceward relay pause && onceward slot recreate && onceward relay resume",
      "  onceward slot drop --yes"
    })
public final class SlotCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: show, drop or recreate");
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows state, kept log, confirmed position, and who streams from it.")
  int show(@Mixin OpsOptions options) throws SQLException {
    Settings settings = options.settings();
    String name = name(settings);
    Slot slot;
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      slot = SlotStore.find(connection, name).orElseThrow(() -> missing(name));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(slot));
    } else {
      print(out, slot);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  @Command(
      name = "drop",
      mixinStandardHelpOptions = true,
      description =
          "Drops a slot that nobody streams from, so that the log is not kept for it any more. No"
              + " event is lost: a relay that runs makes a new one and fills the gap from the"
              + " outbox, as long as the outbox keeps its events.")
  int drop(@Mixin OpsOptions options, @Mixin ChangeOptions change) throws Exception {
    return change(options, change, SlotChange.DROP);
  }

  @Command(
      name = "recreate",
      mixinStandardHelpOptions = true,
      description =
          "Drops a slot that nobody streams from, if it is there, and makes it at the present end"
              + " of the log. The relay fills what lies between from the outbox.")
  int recreate(@Mixin OpsOptions options, @Mixin ChangeOptions change) throws Exception {
    return change(options, change, SlotChange.RECREATE);
  }

  private int change(OpsOptions options, ChangeOptions change, SlotChange what) throws Exception {
    Settings settings = options.settings();
    String name = name(settings);
    SlotChange.Done done;
    try (Connection records = options.connect(settings, OpsOptions.WRITING_ROLE)) {
      done = what.run(records, () -> options.connectForSlots(settings), change, name);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(done));
    } else {
      out.println(done.text());
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private static String name(Settings settings) {
    return settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
  }

  static StartupException missing(String name) {
    return SlotFailures.refused(
        "there is no slot \"" + name + "\"",
        "Start the relay, which makes it, or name another in onceward.relay.slot-name");
  }

  private static void print(PrintWriter out, Slot slot) {
    line(out, "slot", slot.name());
    line(out, "database", slot.database());
    line(out, "in use", slot.isActive() ? "by server process " + slot.activePid() : "no");
    line(
        out,
        "log",
        slot.walStatus() + (slot.lostBecause() == null ? "" : ", because " + slot.lostBecause()));
    line(out, "kept", ByteText.of(slot.retainedBytes()) + " since " + slot.restartLsn());
    line(out, "confirmed", slot.confirmedLsn());
    line(out, "lag", ByteText.of(slot.lagBytes()));
    line(
        out,
        "lost after",
        slot.safeWalBytes() == null
            ? "never: max_slot_wal_keep_size sets no limit"
            : ByteText.of(slot.safeWalBytes()) + " more");
    line(out, "failover", slot.failover() == null ? null : slot.failover() ? "yes" : "no");
  }

  private static void line(PrintWriter out, String name, @Nullable Object value) {
    out.println(String.format(Locale.ROOT, "%-11s%s", name, value == null ? "-" : value));
  }
}
