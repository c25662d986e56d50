package dev.onceward.ops.deadletter;

import dev.onceward.db.SqlStates;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.operation.ControlResult;
import dev.onceward.db.operation.OperationControl;
import dev.onceward.db.relay.ParkedEventStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Has dead letters tried again. Confined to the command's thread. */
final class Redrive {

  private final DeadLetters letters;
  private final DeadLetterActStore.Command command;
  private final Outcome outcome;
  private final Connection connection;
  private final ParkedEventStore store = new ParkedEventStore();

  Redrive(DeadLetters letters, DeadLetterActStore.Command command, Outcome outcome) {
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
    for (DeadLetter letter : ByPlace.of(DeadLetterKind.OPERATION, chosen)) {
      operation(letter);
    }
    List<DeadLetter> records = ByPlace.of(DeadLetterKind.RECORD, chosen);
    if (!records.isEmpty()) {
      new RecordRedrive(letters, command, outcome).run(records);
    }
  }

  /** Events that the relay will find pending within a second. */
  private void parked(UUID workspaceId, List<DeadLetter> chunk) throws SQLException {
    List<DeadLetter> done = new ArrayList<>();
    WorkspaceContext.set(connection, workspaceId);
    for (DeadLetter letter : chunk) {
      UUID eventId = Objects.requireNonNull(letter.eventId());
      if (store.redrive(connection, List.of(eventId), command.replayId()) == 1) {
        DeadLetterActStore.insert(connection, command, letter);
        done.add(letter);
      } else {
        outcome.refused(
            letter,
            letters.parked().payload(eventId).isPresent()
                ? "it is no dead letter any more"
                : "the row has no record form, so nothing can be sent; discard it");
      }
    }
    connection.commit();
    done.forEach(outcome::changed);
  }

  /** An operation is queued anew under a new event, which names this command as its request. */
  private void operation(DeadLetter letter) throws SQLException {
    WorkspaceContext.set(connection, Objects.requireNonNull(letter.workspaceId()));
    ControlResult result;
    try {
      result =
          OperationControl.retry(
              connection,
              Objects.requireNonNull(letter.operationId()),
              command.replayId().toString(),
              null,
              null);
    } catch (SQLException failure) {
      if (!SqlStates.is(failure, SqlStates.UNIQUE_VIOLATION)) {
        throw failure;
      }
      connection.rollback();
      outcome.refused(letter, "another operation of the same subject is active");
      return;
    }
    if (result instanceof ControlResult.Changed) {
      DeadLetterActStore.insert(connection, command, letter);
      connection.commit();
      outcome.changed(letter);
      return;
    }
    connection.rollback();
    outcome.refused(
        letter,
        result instanceof ControlResult.Unfit now
            ? "it is " + now.state().label() + " by now"
            : result instanceof ControlResult.EventGone
                ? "what it asked for is not known any more; ask anew"
                : "it is gone");
  }
}
