package dev.onceward.local.torture;

import java.util.Set;

/** Something that can be broken and made whole again. Implementations are thread-safe. */
interface Part {

  /** What it is called in reports. */
  String name();

  /** What can be done to it. */
  Set<FaultKind> kinds();

  /** Breaks it; returns when it is broken. */
  void strike(FaultKind kind);

  /** Makes it run again, whatever was done to it. No effect on a part that runs. */
  void repair();

  /** Whether its process is there; a frozen one is. */
  boolean isRunning();
}
