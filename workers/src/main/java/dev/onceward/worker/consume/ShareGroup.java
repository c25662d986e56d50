package dev.onceward.worker.consume;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;

/** The broker's settings of a share group. Stateless. */
final class ShareGroup {

  private static final String RESET = "share.auto.offset.reset";
  private static final long ANSWER_SECONDS = 10;

  private ShareGroup() {}

  /**
   * Has the group begin at the earliest record; by itself it would begin with what comes next, and
   * everything sent before its first start would be passed over.
   *
   * @throws KafkaException if the broker does not say that it is so
   */
  static void beginAtTheEarliest(Map<String, String> clientProperties, String groupId) {
    Map<String, Object> properties = new HashMap<>(clientProperties);
    Map<ConfigResource, Collection<AlterConfigOp>> change =
        Map.of(
            new ConfigResource(ConfigResource.Type.GROUP, groupId),
            List.of(
                new AlterConfigOp(new ConfigEntry(RESET, "earliest"), AlterConfigOp.OpType.SET)));
    try (Admin admin = Admin.create(properties)) {
      admin.incrementalAlterConfigs(change).all().get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException failure) {
      throw new KafkaException(
          "the share group %s cannot be set to begin at the earliest record".formatted(groupId),
          failure);
    } catch (InterruptedException stopping) {
      throw new InterruptException(stopping);
    }
  }
}
