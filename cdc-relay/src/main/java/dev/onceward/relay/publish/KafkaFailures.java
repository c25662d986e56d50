package dev.onceward.relay.publish;

import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Judges Kafka's errors by class. */
final class KafkaFailures {
  private static final Set<Class<? extends Throwable>> OF_THE_EVENT =
      Set.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidRecordException.class,
          InvalidTimestampException.class,
          InvalidTopicException.class,
          SerializationException.class,
          IllegalArgumentException.class);

  private KafkaFailures() {}

  /** The failure itself, without the wrapping of futures. */
  static Throwable unwrap(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean wrapped =
        failure instanceof ExecutionException || failure instanceof CompletionException;
    return wrapped && cause != null ? cause : failure;
  }

  /** Whether the failure concerns the record alone, so that no waiting helps. */
  static boolean concernsEvent(Throwable failure) {
    return OF_THE_EVENT.stream().anyMatch(kind -> kind.isInstance(failure));
  }

  /** Whether the cluster refuses the topic as a whole, so that only an operator helps. */
  static boolean refusesTopic(Throwable failure) {
    return failure instanceof TopicAuthorizationException
        || failure instanceof PolicyViolationException;
  }

  /** Whether the producer can be used again after this failure. */
  static boolean leavesProducerUsable(Throwable failure) {
    return failure instanceof RetriableException || refusesTopic(failure) || concernsEvent(failure);
  }

  /** Whether a topic may be gone: its producer then waits in vain for its metadata. */
  static boolean mayBeMissingTopic(Throwable failure) {
    return failure instanceof TimeoutException
        || failure instanceof UnknownTopicOrPartitionException;
  }

  /** The failure in an operator's words, without the content of any record. */
  static String describe(Throwable failure) {
    if (failure instanceof SslAuthenticationException) {
      return "no TLS connection to Kafka can be made; check the truststore, and the brokers' names,"
          + " under onceward.kafka";
    }
    if (failure instanceof AuthenticationException) {
      return "Kafka refuses the relay's login; check the security settings under onceward.kafka";
    }
    if (failure instanceof AuthorizationException) {
      return "Kafka does not let the relay write (" + failure.getMessage() + ")";
    }
    if (failure instanceof UnknownTopicOrPartitionException
        || failure.getCause() instanceof UnknownTopicOrPartitionException) {
      return "a topic is missing (" + failure.getMessage() + ")";
    }
    return failure.getClass().getSimpleName() + ": " + failure.getMessage();
  }
}
