package dev.onceward.ops.kafka;

import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What a failure of Kafka means to an operator, judged by its class alone. */
public final class KafkaFailures {

  private KafkaFailures() {}

  /** Null when it is none that an operator can do something about. */
  public static @Nullable StartupException classify(Throwable failure) {
    Throwable cause = unwrap(failure);
    if (cause instanceof TimeoutException || cause instanceof DisconnectException) {
      return away(cause);
    }
    if (cause instanceof AuthenticationException) {
      return unavailable(
          "Kafka refused the login (" + cause.getClass().getSimpleName() + ")",
          "Check the security settings under onceward.kafka",
          cause);
    }
    if (cause instanceof AuthorizationException) {
      return unavailable(
          "Kafka does not allow this (" + cause.getMessage() + ")",
          "Let the operator's Kafka user do what the message names",
          cause);
    }
    return null;
  }

  /** The failure itself, without the wrapping of futures and of Kafka's own general exception. */
  public static Throwable unwrap(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean wrapped =
        failure instanceof ExecutionException
            || failure instanceof CompletionException
            || failure.getClass() == KafkaException.class;
    return wrapped && cause != null ? unwrap(cause) : failure;
  }

  static StartupException away(Throwable cause) {
    return unavailable(
        "Kafka does not answer (" + cause.getClass().getSimpleName() + ")",
        "Check onceward.kafka.bootstrap.servers, and that the brokers run",
        cause);
  }

  private static StartupException unavailable(String message, String remedy, Throwable cause) {
    return new StartupException(ExitCode.UNAVAILABLE, message, remedy, cause);
  }
}
