package dev.onceward.ops.deadletter;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.relay.ParkedEventStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Gives dead letters up; each keeps its place. Confined to the command's thread. */
final class Discard {

  private final DeadLetters letters;
  private final DeadLetterActStore.Command command;
  private final Outcome outcome;
  private final Connection connection;
  private final ParkedEventStore store = new ParkedEventStore();

  Discard(DeadLetters letters, DeadLetterActStore.Command command, Outcome outcome) {
    this.letters = letters;
    this.command = command;
    this.outcome = outcome;
    this.connection = letters.connection();
  }

  void run(List<DeadLetter> chosen) throws SQLException {
    for (Map.Entry<UUID, List<List<DeadLetter>>> workspace :
        ByPlace.chunks(DeadLetterKind.PARKED, chosen).entrySet()) {
      for (List<DeadLetter> chunk : workspace.getValue()) {
        parked(workspace.getKey(), chunk);
      }
    }
    operations(ByPlace.of(DeadLetterKind.OPERATION, chosen));
    records(ByPlace.of(DeadLetterKind.RECORD, chosen));
  }

  private void parked(UUID workspaceId, List<DeadLetter> chunk) throws SQLException {
    List<DeadLetter> done = new ArrayList<>();
    WorkspaceContext.set(connection, workspaceId);
    for (DeadLetter letter : chunk) {
      if (store.discard(connection, List.of(Objects.requireNonNull(letter.eventId()))) == 1) {
        done.add(letter);
      } else {
        outcome.refused(letter, "it is no dead letter any more");
      }
    }
    commit(done);
  }

  /** The act alone says it: the operation's state stays what it is. */
  private void operations(List<DeadLetter> chosen) throws SQLException {
    List<DeadLetter> done = new ArrayList<>();
    for (DeadLetter letter : chosen) {
      Optional<DeadLetter> now =
          letters.operations().find(Objects.requireNonNull(letter.operationId()));
      if (now.isPresent()
          && now.get().isOpen()
          && Objects.equals(now.get().eventId(), letter.eventId())) {
        done.add(letter);
      } else {
        outcome.refused(letter, "it is no dead letter any more");
      }
    }
    commit(done);
  }

  private void records(List<DeadLetter> chosen) throws SQLException {
    List<DeadLetter> open = DeadLetterActStore.stillOpen(connection, chosen);
    Set<DeadLetter> known = new HashSet<>(open);
    chosen.stream()
        .filter(letter -> !known.contains(letter))
        .forEach(letter -> outcome.refused(letter, "another command was quicker"));
    commit(open);
  }

  private void commit(List<DeadLetter> done) throws SQLException {
    DeadLetterActStore.insert(connection, command, done);
    connection.commit();
    done.forEach(outcome::changed);
  }
}
