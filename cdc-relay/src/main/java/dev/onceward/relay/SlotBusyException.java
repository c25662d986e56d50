package dev.onceward.relay;

/** Another process streams from the slot: another relay, or our own predecessor for a moment. */
final class SlotBusyException extends Exception {
  private static final long serialVersionUID = 1L;

  SlotBusyException(String slotName, int pid) {
    super(
        "another relay streams from the slot \""
            + slotName
            + "\" (PostgreSQL process "
            + pid
            + "); this one waits");
  }
}
