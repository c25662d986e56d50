package dev.onceward.worker.handle;

import dev.onceward.db.secret.CredentialCipher;
import java.net.URI;
import java.time.Duration;

/**
 * What the process offers its handlers. Immutable.
 *
 * @param credentials decrypts what the API stored encrypted
 * @param platformUrl where the platforms' gateway answers
 * @param platformTimeout how long it may take to begin an answer
 * @param materials what may be fetched from elsewhere
 */
public record HandlerEnvironment(
    CredentialCipher credentials,
    URI platformUrl,
    Duration platformTimeout,
    MaterialRules materials) {}
