package dev.onceward.api.http;

import java.time.Duration;

/**
 * What the server is told. Immutable.
 *
 * @param host the address to listen on
 * @param port 0 for any free one
 * @param maxBodyBytes the largest JSON body read
 * @param requestTimeout how long one request may take, its body and its answer included
 * @param grace how long a stop waits for running requests
 */
public record HttpOptions(
    String host, int port, int maxBodyBytes, Duration requestTimeout, Duration grace) {}
