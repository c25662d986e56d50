package dev.onceward.ops.doctor;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The answers of all checks. Immutable.
 *
 * @param at this machine's time
 * @param version of this command line
 * @param warnings how many warn
 * @param failed how many failed
 * @param checks the answers
 */
public record Report(Instant at, String version, long warnings, long failed, List<Finding> checks) {

  public Report {
    checks = List.copyOf(checks);
  }

  static Report of(Instant at, String version, List<Finding> checks) {
    return new Report(
        at, version, count(checks, CheckState.WARNING), count(checks, CheckState.FAILED), checks);
  }

  /** A line for each check, and below it the remedy where one is needed. */
  void print(PrintWriter out) {
    for (Finding check : checks) {
      out.println(
          String.format(
              Locale.ROOT, "%-8s %-19s %s", check.state().label(), check.id(), check.found()));
      if (check.remedy() != null) {
        out.println(String.format(Locale.ROOT, "%-8s %-19s -> %s", "", "", check.remedy()));
      }
    }
    out.println(
        String.format(
            Locale.ROOT,
            "%d checks, %d warnings, %d failed (onceward %s)",
            checks.size(),
            warnings,
            failed,
            version));
    out.flush();
  }

  private static long count(List<Finding> checks, CheckState state) {
    return checks.stream().filter(check -> check.state() == state).count();
  }
}
