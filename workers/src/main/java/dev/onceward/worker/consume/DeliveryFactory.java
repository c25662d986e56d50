package dev.onceward.worker.consume;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Turns a record into what is to be done about it. Called by the consumer's thread: quick. */
@FunctionalInterface
public interface DeliveryFactory {

  /** Never throws for what the record holds: a record that cannot be read is a delivery, too. */
  Delivery open(ConsumerRecord<byte[], byte[]> record);
}
