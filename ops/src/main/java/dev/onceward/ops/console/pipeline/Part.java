package dev.onceward.ops.console.pipeline;

import java.util.List;

/**
 * One part of the pipeline, as the picture shows it. Immutable.
 *
 * @param name such as Relay
 * @param state how it is
 * @param reason why it is not well; empty if it is
 * @param facts its numbers, the most important first
 */
public record Part(String name, State state, String reason, List<Fact> facts) {

  /** How a part is. */
  public enum State {
    /** As it should be. */
    OK("ok"),
    /** It works, and somebody should look. */
    DEGRADED("degraded"),
    /** It does not work. */
    DOWN("down"),
    /** Nobody can tell, since what would tell is away. */
    UNKNOWN("unknown");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /** In lower case. */
    public String label() {
      return label;
    }
  }

  /** A number and what it says. */
  public record Fact(String label, String value) {}

  public Part {
    facts = List.copyOf(facts);
  }
}
