package dev.onceward.ops;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.Locale;

/**
 * Writes constants in lower case. (Jackson's own feature for that follows the locale, where a
 * Turkish "failed" has no dot.)
 */
final class EnumText extends StdSerializer<Enum<?>> {
  private static final long serialVersionUID = 1L;

  EnumText() {
    super(Enum.class, false);
  }

  @Override
  public void serialize(Enum<?> value, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    out.writeString(value.name().toLowerCase(Locale.ROOT));
  }
}
