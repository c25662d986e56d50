package dev.onceward.db.flow;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flows there are. What a step does is the worker's; this is what everybody knows of them. */
public enum Flow {
  /** A person approves or rejects a listing: waits for the to-do {@code approve}. */
  LISTING_REVIEW("listing_review"),
  /** Looks at what is known of a store's credentials; ends without a to-do. */
  STORE_CHECK("store_check");

  private final String label;

  Flow(String label) {
    this.label = label;
  }

  /** Its name in the database and in JSON. */
  public String label() {
    return label;
  }

  /** The name of the to-do that it waits for; null for a flow that does not wait. */
  public @Nullable String todo() {
    return switch (this) {
      case LISTING_REVIEW -> "approve";
      case STORE_CHECK -> null;
    };
  }

  /** The texts that resolve its to-do; none for a flow that does not wait. */
  public List<String> decisions() {
    return switch (this) {
      case LISTING_REVIEW -> List.of("approve", "reject");
      case STORE_CHECK -> List.of();
    };
  }

  /** The outcome of a run whose to-do was resolved like this. */
  public String outcome(String decision) {
    return switch (decision) {
      case "approve" -> "approved";
      case "reject" -> "rejected";
      default -> decision;
    };
  }

  /** The flow of that name, or empty. */
  public static Optional<Flow> ofLabel(String label) {
    return Arrays.stream(values()).filter(flow -> flow.label.equals(label)).findAny();
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(Flow::label).toList();
  }
}
