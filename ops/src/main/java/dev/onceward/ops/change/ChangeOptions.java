package dev.onceward.ops.change;

import dev.onceward.db.action.NewAction;
import dev.onceward.db.action.OpsActionStore;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of every command that changes something (a mixin), the question before it and the
 * record of it. Confined to the command's thread.
 *
 * <pre>{@code
 * change.confirm("Revokes the key " + keyId + ": calls with it are refused from then on");
 * connection.setAutoCommit(false);
 * ... // the change
 * change.end(connection, "revoked " + keyId);
 * }</pre>
 */
public final class ChangeOptions {

  private static final int MAX_ACCOUNT = 200;

  private final Terminal terminal;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(names = "--dry-run", description = "Shows what it would do, and changes nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Does it without asking.")
  private boolean yes;

  /** Asks at the terminal of this process. */
  public ChangeOptions() {
    this(Terminal.ofProcess());
  }

  /** Asks at this terminal. */
  public ChangeOptions(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Whether nothing is to be changed. */
  public boolean isDryRun() {
    return dryRun;
  }

  /**
   * Asks the operator, unless {@code --yes} or {@code --dry-run} is given.
   *
   * @param consequence what is about to happen, a sentence without its full stop
   * @throws ParameterException if there is nobody to ask
   * @throws StartupException if the answer is not yes
   */
  public void confirm(String consequence) {
    if (yes || dryRun) {
      return;
    }
    if (!terminal.isInteractive()) {
      throw new ParameterException(
          command.commandLine(),
          consequence + ". Add --yes to do it, or --dry-run to see what it would do");
    }
    PrintWriter err = command.commandLine().getErr();
    err.print(consequence + ". Go on? [y/N] ");
    err.flush();
    String answer = terminal.readLine();
    String word = answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT);
    if (!word.equals("y") && !word.equals("yes")) {
      throw new StartupException(
          ExitCode.FAILURE, "Nothing was changed", "Answer y to go on, or give --yes", null);
    }
  }

  /**
   * Ends the transaction of the change: commits it with its record, or rolls it back for a dry run
   * and says so on standard error.
   *
   * @param connection as {@code onceward_ops}, without auto-commit
   * @param result what came of it, without secrets
   */
  public void end(Connection connection, String result) throws SQLException {
    if (dryRun) {
      connection.rollback();
      sayDryRun();
    } else {
      OpsActionStore.done(connection, action(), result);
      connection.commit();
    }
  }

  /**
   * Notes that a change outside of PostgreSQL begins. For a dry run there is nothing to begin: ask
   * {@link #isDryRun} before, and {@link #sayDryRun}.
   *
   * @param connection as {@code onceward_ops}, with nothing uncommitted; the row is committed
   * @throws IllegalStateException for a dry run
   */
  public StartedAction start(Connection connection) throws SQLException {
    if (dryRun) {
      throw new IllegalStateException("a dry run begins nothing");
    }
    return StartedAction.begin(connection, action());
  }

  /** Says on standard error that nothing was changed. */
  public void sayDryRun() {
    PrintWriter err = command.commandLine().getErr();
    err.println("onceward: dry run, nothing was changed");
    err.flush();
  }

  /**
   * Who is recorded: the account on this machine, since the role is shared; 1 to 200 characters.
   */
  public String operator() {
    String account = System.getProperty("user.name", "");
    return account.isBlank()
        ? "unknown"
        : account.substring(0, Math.min(account.length(), MAX_ACCOUNT));
  }

  private NewAction action() {
    return CommandText.action(operator(), command);
  }
}
