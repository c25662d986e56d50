package dev.onceward.local.torture;

/**
 * One event of the ledger. Immutable.
 *
 * @param aggregate its aggregate, unique over all workspaces
 * @param sequence its place among the events of its aggregate, by the order of their writing
 * @param fate what became of it
 */
public record LedgerEntry(String aggregate, long sequence, Fate fate) {}
