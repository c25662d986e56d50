package dev.onceward.worker.platform;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.onceward.db.store.StoreCredentials;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Bodies of calls to a platform. Stateless. */
final class PlatformBody {

  private static final JsonFactory JSON = new JsonFactory();

  /** Writes members of an object. */
  interface Members {
    void write(JsonGenerator json) throws IOException;
  }

  private PlatformBody() {}

  static String of(Members members) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // memory does not fail
    }
    return text.toString();
  }

  /** Names the shop and shows its credentials, then writes the other members. */
  static String of(StoreCredentials store, Members others) {
    return of(
        json -> {
          json.writeStringField("platform", store.platform());
          json.writeStringField("external_id", store.externalId());
          json.writeFieldName("credentials");
          json.writeRawValue(store.credentials());
          others.write(json);
        });
  }
}
