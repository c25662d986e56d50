package dev.onceward.worker.platform;

import org.jspecify.annotations.Nullable;

/**
 * What a platform says about a store's credentials. Immutable.
 *
 * @param accountName how the platform calls the account, at most 200 characters; null if it does
 *     not say
 */
public record PlatformAnswer(boolean valid, @Nullable String accountName) {}
