package dev.onceward.db;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.time.Instant;
import java.util.UUID;

/**
 * Version-7 UUIDs (RFC 9562, section 5.7): 48 bits of Unix milliseconds first, so that they sort by
 * time and tell it. Thread-safe; ids made in one process ascend, also within a millisecond.
 */
public final class UuidV7 {

  private static final TimeBasedEpochGenerator GENERATOR = Generators.timeBasedEpochGenerator();

  private UuidV7() {}

  /** A new id. */
  public static UUID next() {
    return GENERATOR.generate();
  }

  /**
   * The time inside {@code id}, to the millisecond.
   *
   * @throws IllegalArgumentException if {@code id} is of another version
   */
  public static Instant time(UUID id) {
    if (id.version() != 7) {
      throw new IllegalArgumentException(
          "%s is a version-%d UUID; only version 7 tells a time to the millisecond"
              .formatted(id, id.version()));
    }
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }
}
