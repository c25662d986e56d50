package dev.onceward.api.json;

import org.jspecify.annotations.Nullable;

/**
 * Where a value stands in the body; the outermost value has no parent. Immutable.
 *
 * @param step a member name or an element's index
 * @param parent the place around it, null for the outermost value
 */
record Place(String step, @Nullable Place parent) {
  private static final int LONGEST_STEP_SHOWN = 64;

  /** The JSON Pointer of RFC 6901; overlong names are cut and unprintable characters replaced. */
  String pointer() {
    return parent == null ? "" : parent.pointer() + "/" + shown();
  }

  private String shown() {
    StringBuilder text = new StringBuilder();
    step.codePoints()
        .limit(LONGEST_STEP_SHOWN)
        .forEach(
            c -> {
              if (c == '~') {
                text.append("~0");
              } else if (c == '/') {
                text.append("~1");
              } else if (Character.isISOControl(c)
                  || Character.getType(c) == Character.SURROGATE
                  || Character.getType(c) == Character.FORMAT) {
                text.append('\ufffd');
              } else {
                text.appendCodePoint(c);
              }
            });
    return text.toString();
  }
}
