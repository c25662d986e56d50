package dev.onceward.db.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An authorisation of a shop, without its credentials.
 *
 * @param platform for example {@code shopline}; lower case
 * @param externalId the shop's id on the platform; unique there within the workspace
 * @param credentialVersion counts replacements of the credentials, from 1
 * @param verification what is known of the current credentials: a value of the column's CHECK
 * @param verifiedAt when the platform last confirmed the current credentials, or null
 * @param accountName what the platform calls the shop, or null
 */
public record StoreAuthorization(
    UUID id,
    String platform,
    String externalId,
    String name,
    int credentialVersion,
    String verification,
    @Nullable Instant verifiedAt,
    @Nullable String accountName,
    Instant createdAt,
    Instant updatedAt) {}
