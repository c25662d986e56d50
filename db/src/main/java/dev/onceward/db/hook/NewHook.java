package dev.onceward.db.hook;

/**
 * A hook that was just made, or its secret replaced.
 *
 * @param secret shown once; the database has it encrypted
 */
public record NewHook(Hook hook, HookSecret secret) {}
