package dev.onceward.event;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of an envelope, in the order in which they are written. */
enum EnvelopeMember {
  EVENT_ID("event_id"),
  EVENT_TYPE("event_type"),
  PAYLOAD_VERSION("payload_version"),
  WORKSPACE_ID("workspace_id"),
  AGGREGATE_TYPE("aggregate_type"),
  AGGREGATE_ID("aggregate_id"),
  RESOURCE_TYPE("resource_type"),
  RESOURCE_ID("resource_id"),
  BUSINESS_KEY("business_key"),
  REQUEST_ID("request_id"),
  CORRELATION_ID("correlation_id"),
  OCCURRED_AT("occurred_at"),
  PAYLOAD("payload");

  private static final Map<String, EnvelopeMember> BY_NAME = new HashMap<>();

  static {
    for (EnvelopeMember member : values()) {
      BY_NAME.put(member.jsonName, member);
    }
  }

  private final String jsonName;
  private final String written;

  EnvelopeMember(String jsonName) {
    this.jsonName = jsonName;
    this.written = ",\"" + jsonName + "\":";
  }

  String jsonName() {
    return jsonName;
  }

  /** The name as it stands in the object, behind another member and before its value. */
  String written() {
    return written;
  }

  /** The member of that name, or null for one that this version does not know. */
  static @Nullable EnvelopeMember named(String jsonName) {
    return BY_NAME.get(jsonName);
  }
}
