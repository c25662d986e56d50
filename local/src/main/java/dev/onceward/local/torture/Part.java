package dev.onceward.local.torture;

import java.util.List;

/** Something that can be broken and made whole again. Implementations are thread-safe. */
interface Part {

  /** What it is called in reports. */
  String name();

  /** Parts that are killed before this one is broken, and come up after it. */
  default List<Part> killedWithIt() {
    return List.of();
  }

  /** Breaks it; returns when it is broken, or false if it cannot be broken now. */
  boolean strike(FaultKind kind);

  /** Makes it run again, whatever was done to it. No effect on a part that runs. */
  void repair();

  /** Whether its process is there; a frozen one is. */
  boolean isRunning();
}
