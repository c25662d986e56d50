package dev.onceward.local.matrix;

import java.util.Locale;
import java.util.function.BiFunction;

/** A moment on an event's way, or of those who look after it. */
public enum Moment {
  /** The API's transaction has written its rows and has not committed. */
  BEFORE_COMMIT("before commit", "API", BeforeCommit::new),
  /** The event is committed and in the relay's hand, and Kafka knows nothing of it. */
  AFTER_COMMIT("after commit, before send", "relay", AfterCommit::new),
  /** The record lies in the broker's socket, and the broker has not read it. */
  AFTER_SEND("after send, before acknowledgement", "relay", AfterSend::new),
  /** The relay has the acknowledgement, and the slot is not confirmed. */
  AFTER_ACKNOWLEDGEMENT(
      "after acknowledgement, before confirmation", "relay", AfterAcknowledgement::new),
  /** The operation is claimed, and the effect has not happened. */
  AFTER_CLAIM("after claim, before effect", "workers", AfterClaim::new),
  /** The effect has happened, and the operation is not finished. */
  AFTER_EFFECT("after effect, before finish", "workers", AfterEffect::new),
  /** The operation is finished, and the record's topic offset is not committed. */
  AFTER_FINISH("after finish, before offset commit", "workers", AfterFinish::new),
  /** The audit has compared a step, and its result is not stored. */
  DURING_AUDIT("during audit", "relay", DuringAudit::new),
  /** An operator's replay has sent some of its events. */
  DURING_REPLAY("during replay", "replay", DuringReplay::new),
  /** The leader is dead; its successor has the lock and does not stream yet. */
  DURING_TAKE_OVER("during take-over", "successor", DuringTakeOver::new);

  private final String words;
  private final String process;
  private final BiFunction<Site, Writing, Stage> stage;

  Moment(String words, String process, BiFunction<Site, Writing, Stage> stage) {
    this.words = words;
    this.process = process;
    this.stage = stage;
  }

  /** For people. */
  String words() {
    return words;
  }

  /** Who dies as {@link Victim#PROCESS}, for people. */
  String process() {
    return process;
  }

  /** How it is written on command lines and in results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Stage stage(Site site, Writing writing) {
    return stage.apply(site, writing);
  }
}
