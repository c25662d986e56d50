package dev.onceward.ops.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.db.action.NewAction;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.change.StartedAction;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.ops.show.Progress;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the commands do with dead letters, for whoever shows it otherwise. Immutable; each call runs
 * over the caller's connection, which it leaves without auto-commit and with nothing uncommitted.
 */
public final class DeadLetterDesk {

  private final RelayRouting routing;

  /** Which way the events take. */
  public DeadLetterDesk(RelayRouting routing) {
    this.routing = routing;
  }

  /** What is done. */
  public enum Act {
    /** They are tried again. */
    REDRIVE,
    /** Nobody will try them again. */
    DISCARD
  }

  /**
   * The newest of those that match.
   *
   * @param total how many match
   * @param note why Kafka's records are not among them; null if they are
   */
  public record Listing(long total, List<ListedLetter> letters, @Nullable String note) {}

  /**
   * Those that match, folded by their cause.
   *
   * @param note why Kafka's records are not among them; null if they are
   */
  public record Groups(List<CauseGroups.Group> groups, @Nullable String note) {}

  /** One of them, and what was done to it; the payload where it was asked for and is known. */
  public record Shown(
      ListedLetter letter, List<DeadLetterActStore.Act> history, @Nullable String payload) {

    /** Whether an operator may redrive or discard it. */
    public boolean isOpen() {
      return !List.of(DeadLetter.PARKED, DeadLetter.DISCARDED, DeadLetter.REDRIVEN)
          .contains(letter.state());
    }
  }

  /**
   * What a change would do.
   *
   * @param count how many dead letters
   * @param kinds how many of each kind
   * @param groups of all that are chosen
   * @param fingerprint of exactly these dead letters as they are now
   */
  public record Plan(
      long count, Map<String, Long> kinds, List<CauseGroups.Group> groups, String fingerprint) {}

  /**
   * What a change has done.
   *
   * @param replayId of the change
   * @param changed how many of each kind
   * @param refused those that stay as they were
   */
  public record Done(UUID replayId, Map<String, Long> changed, List<Outcome.Refused> refused) {}

  /** Lists the newest. */
  public Listing list(Connection connection, DeadLetterFilter filter, boolean discarded, int limit)
      throws SQLException {
    DeadLetters letters = over(connection);
    try {
      return listing(NewestLetters.of(letters, filter, discarded, limit), null);
    } catch (StartupException away) {
      DeadLetterFilter rest = withoutKafka(filter, away);
      connection.rollback();
      return listing(NewestLetters.of(letters, rest, discarded, limit), away.getMessage());
    } finally {
      connection.rollback();
    }
  }

  private static Listing listing(NewestLetters found, @Nullable String note) {
    return new Listing(found.total(), found.newest().stream().map(ListedLetter::of).toList(), note);
  }

  /** Folds them by cause. */
  public Groups groups(Connection connection, DeadLetterFilter filter) throws SQLException {
    DeadLetters letters = over(connection);
    CauseGroups groups = new CauseGroups();
    try {
      letters.forEach(filter, false, groups::add);
      return new Groups(groups.groups(), null);
    } catch (StartupException away) {
      DeadLetterFilter rest = withoutKafka(filter, away);
      connection.rollback();
      CauseGroups fewer = new CauseGroups();
      letters.forEach(rest, false, fewer::add);
      return new Groups(fewer.groups(), away.getMessage());
    } finally {
      connection.rollback();
    }
  }

  /** The same without records, unless these alone are wanted or something else is wrong. */
  private static DeadLetterFilter withoutKafka(DeadLetterFilter filter, StartupException away) {
    if (away.exitCode() != ExitCode.UNAVAILABLE) {
      throw away;
    }
    EnumSet<DeadLetterKind> rest = EnumSet.noneOf(DeadLetterKind.class);
    for (DeadLetterKind kind : List.of(DeadLetterKind.PARKED, DeadLetterKind.OPERATION)) {
      if (filter.wants(kind)) {
        rest.add(kind);
      }
    }
    if (rest.isEmpty()) {
      throw away;
    }
    return filter.ofKindsOnly(rest);
  }

  /**
   * One of them.
   *
   * @throws StartupException if there is none, or more than one
   */
  public Shown show(Connection connection, String id, DeadLetterFilter filter, boolean withPayload)
      throws SQLException {
    DeadLetters letters = over(connection);
    try {
      DeadLetter letter = letters.find(id, filter);
      return new Shown(
          ListedLetter.of(letter),
          DeadLetterActStore.history(connection, letter),
          withPayload ? ShowDeadLetter.payload(letters, letter).orElse(null) : null);
    } finally {
      connection.rollback();
    }
  }

  /**
   * What a change would do: those with the ids, or those that match where there are none.
   *
   * @throws StartupException if an id means none or one that may not be changed, or nothing matches
   */
  public Plan plan(Connection connection, List<String> ids, DeadLetterFilter filter)
      throws SQLException {
    try {
      return plan(Targets.select(over(connection), ids, filter));
    } finally {
      connection.rollback();
    }
  }

  private static Plan plan(List<DeadLetter> chosen) {
    CauseGroups groups = new CauseGroups();
    chosen.forEach(groups::add);
    return new Plan(chosen.size(), ChangeFlow.counts(chosen), groups.groups(), fingerprint(chosen));
  }

  private static String fingerprint(List<DeadLetter> chosen) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      chosen.stream()
          .map(
              one ->
                  String.join(
                      "|",
                      one.kind().label(),
                      one.id(),
                      one.state(),
                      String.valueOf(one.eventId()),
                      one.at().toString()))
          .sorted()
          .forEach(line -> digest.update((line + "\n").getBytes(UTF_8)));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  /**
   * What is wrong with a reason to discard.
   *
   * @return null if it can be kept
   */
  public static @Nullable String wrongWith(String reason) {
    return DiscardDeadLetters.wrongWith(reason.strip());
  }

  /**
   * Does what a plan said.
   *
   * @param connection of its own: the lock is held until it ends
   * @param action as it is recorded
   * @param reason of a discard, else null
   * @param fingerprint the plan's
   * @throws StartupException if other dead letters are meant by now, or another one changes them;
   *     nothing was changed then
   */
  public Done change(
      Connection connection,
      NewAction action,
      Act act,
      @Nullable String reason,
      List<String> ids,
      DeadLetterFilter filter,
      String fingerprint)
      throws SQLException {
    DeadLetters letters = over(connection);
    List<DeadLetter> chosen = Targets.select(letters, ids, filter);
    connection.rollback();
    if (!fingerprint(chosen).equals(fingerprint)) {
      throw Refusal.of(
          "these are not the dead letters that you were shown, so nothing was changed",
          "Look at the dry run again; they have changed meanwhile");
    }
    DeadLetterActStore.Command command =
        new DeadLetterActStore.Command(
            UUID.randomUUID(),
            act == Act.REDRIVE ? DeadLetter.REDRIVEN : DeadLetter.DISCARDED,
            reason == null ? null : reason.strip(),
            action.operator());
    Outcome outcome =
        new RecordedChange(
                letters, command, on -> StartedAction.begin(on, action), Progress.unseen())
            .perform(
                chosen,
                act == Act.REDRIVE
                    ? (all, as, wanted, into) -> new Redrive(all, as, into).run(wanted)
                    : (all, as, wanted, into) -> new Discard(all, as, into).run(wanted));
    return new Done(command.replayId(), outcome.counts(), outcome.refused());
  }

  private DeadLetters over(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    return DeadLetters.over(routing, connection);
  }
}
