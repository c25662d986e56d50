package dev.onceward.ops.doctor;

import java.util.List;

/**
 * The answers of an examination.
 *
 * @param findings in their order
 */
record Examined(List<Finding> findings) {

  /** The answer of a check. */
  Finding get(String id) {
    return findings.stream().filter(finding -> finding.id().equals(id)).findFirst().orElseThrow();
  }
}
