package dev.onceward.local.matrix;

import java.util.Locale;

/** A moment on an event's way, or of those who look after it. */
public enum Moment {
  /** The API's transaction has written its rows and has not committed. */
  BEFORE_COMMIT("before commit", "API"),
  /** The event is committed and in the relay's hand, and Kafka knows nothing of it. */
  AFTER_COMMIT("after commit, before send", "relay"),
  /** The record lies in the broker's socket, and the broker has not read it. */
  AFTER_SEND("after send, before acknowledgement", "relay"),
  /** The relay has the acknowledgement, and the slot is not confirmed. */
  AFTER_ACKNOWLEDGEMENT("after acknowledgement, before confirmation", "relay"),
  /** The operation is claimed, and the effect has not happened. */
  AFTER_CLAIM("after claim, before effect", "workers"),
  /** The effect has happened, and the operation is not finished. */
  AFTER_EFFECT("after effect, before finish", "workers"),
  /** The operation is finished, and the record's topic offset is not committed. */
  AFTER_FINISH("after finish, before offset commit", "workers"),
  /** The audit has compared a step, and its result is not stored. */
  DURING_AUDIT("during audit", "relay"),
  /** An operator's replay has sent some of its events. */
  DURING_REPLAY("during replay", "replay"),
  /** The leader is dead; its successor has the lock and does not stream yet. */
  DURING_TAKE_OVER("during take-over", "successor");

  private final String words;
  private final String process;

  Moment(String words, String process) {
    this.words = words;
    this.process = process;
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
    return switch (this) {
      case BEFORE_COMMIT -> new BeforeCommit(site, writing);
      case AFTER_COMMIT -> new AfterCommit(site, writing);
      case AFTER_SEND -> new AfterSend(site, writing);
      case AFTER_ACKNOWLEDGEMENT -> new AfterAcknowledgement(site, writing);
      case AFTER_CLAIM -> new AfterClaim(site, writing);
      case AFTER_EFFECT -> new AfterEffect(site, writing);
      case AFTER_FINISH -> new AfterFinish(site, writing);
      case DURING_AUDIT -> new DuringAudit(site, writing);
      case DURING_REPLAY -> new DuringReplay(site, writing);
      case DURING_TAKE_OVER -> new DuringTakeOver(site, writing);
    };
  }
}
