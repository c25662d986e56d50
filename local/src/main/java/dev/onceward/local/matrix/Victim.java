package dev.onceward.local.matrix;

import java.util.Locale;

/** Who dies. */
public enum Victim {
  /** The process of ours whose moment it is. */
  PROCESS,
  /** The database server. */
  POSTGRES,
  /** The broker. */
  KAFKA;

  /** How it is written on command lines and in results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
