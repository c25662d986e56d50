package dev.onceward.api.draft;

import dev.onceward.api.http.Request;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.StrictJson;
import dev.onceward.db.draft.DraftContent;
import java.util.regex.Pattern;

/** What the draft calls read from bodies. */
final class DraftFields {
  private static final int MAX_TITLE_CHARACTERS = 500;
  private static final int MAX_DESCRIPTION_CHARACTERS = 20_000;
  private static final int MAX_PRICE_CHARACTERS = 17;
  private static final int MAX_MEDIA = 50;
  private static final Pattern PRICE = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,4})?");

  private DraftFields() {}

  static DraftContent content(Request request) {
    Fields body = Fields.of(StrictJson.read(request.body()));
    DraftContent content =
        new DraftContent(
            body.id("store_id"),
            body.text("title", MAX_TITLE_CHARACTERS),
            body.has("description")
                ? body.multilineText("description", MAX_DESCRIPTION_CHARACTERS)
                : null,
            body.has("price")
                ? body.text(
                    "price",
                    MAX_PRICE_CHARACTERS,
                    PRICE,
                    "must be a decimal number such as 10.50, with 12 digits before and 4 after the"
                        + " point at most")
                : null,
            body.ids("media_ids", MAX_MEDIA));
    body.refuseOthers();
    return content;
  }
}
