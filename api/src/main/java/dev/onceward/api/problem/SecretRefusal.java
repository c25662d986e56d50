package dev.onceward.api.problem;

import dev.onceward.db.SqlStates;
import java.sql.SQLException;

/**
 * The refusal of a secret in a field that is stored in the clear. The tables hold writers to the
 * same guard as the library; their constraints are named {@code …_without_secret}.
 */
public final class SecretRefusal {
  private SecretRefusal() {}

  /** Whether a table refused a row for a secret. */
  public static boolean isCauseOf(SQLException failure) {
    String constraint = SqlStates.constraint(failure);
    return constraint != null && constraint.endsWith("_without_secret");
  }

  /** What the client is told. */
  public static Problem problem() {
    return Problem.of(
        ProblemCode.SECRET_REFUSED,
        "A field that is stored in the clear and shown holds what looks like a password, key,"
            + " token or signed URL; send secrets in the fields that are made for them.");
  }
}
