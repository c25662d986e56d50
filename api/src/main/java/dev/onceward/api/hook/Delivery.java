package dev.onceward.api.hook;

import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.IdempotencyKey;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the headers of a delivery say. Immutable.
 *
 * <p>The receipt's key is {@code webhook-id}, which the signature covers. {@code Idempotency-Key}
 * is not covered: whoever got hold of a signed delivery could send it again under a key of his own
 * and have it carried out once more. So it may only say the same.
 */
record Delivery(DeliverySignature signature) {
  // No quotes, brackets or braces: a signed text must not be read as another id with another body.
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:~+=/@|-]{1,200}");
  private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,12}");
  private static final Pattern SIGNATURES = Pattern.compile("[!-~]+( [!-~]+)*");

  /**
   * @throws ProblemException {@code HEADER_INVALID} or {@code IDEMPOTENCY_KEY_INVALID}; it tells
   *     nothing of the hook
   */
  static Delivery of(Request request) {
    String id =
        header(request, "webhook-id", ID, "1 to 200 letters, digits and the characters _.:~+=/@|-");
    String timestamp =
        header(request, "webhook-timestamp", TIMESTAMP, "the whole seconds since 1970");
    String signatures =
        header(
            request, "webhook-signature", SIGNATURES, "one or more v1,<Base64> parted by spaces");
    List<String> keys = request.header("idempotency-key");
    if (!keys.isEmpty() && !IdempotencyKey.of(keys).text().equals(id)) {
      throw Problem.of(
              ProblemCode.IDEMPOTENCY_KEY_INVALID,
              IdempotencyKey.HEADER,
              "A delivery's key is its webhook-id, which the signature covers. Send the same text"
                  + " here, or leave this header out.")
          .exception();
    }
    return new Delivery(new DeliverySignature(id, timestamp, signatures));
  }

  /** Under which it is carried out once. */
  String key() {
    return signature.id();
  }

  private static String header(Request request, String name, Pattern form, String rule) {
    List<String> values = request.header(name);
    if (values.size() != 1 || !form.matcher(values.get(0)).matches()) {
      throw Problem.of(
              ProblemCode.HEADER_INVALID,
              name,
              "A delivery has this header once (Standard Webhooks): " + rule + ".")
          .exception();
    }
    return values.get(0);
  }
}
