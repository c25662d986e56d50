package dev.onceward.ops.audit;

import dev.onceward.ops.audit.Finding.Kind;
import dev.onceward.ops.show.TextTable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Writes a report for people. Stateless. */
final class AuditText {
  private AuditText() {}

  static void print(AuditReport report, PrintWriter out) {
    UUID workspace = report.workspaceId();
    line(
        out,
        "range",
        report.from()
            + " to "
            + report.to()
            + (workspace == null ? ", all workspaces" : ", workspace " + workspace));
    line(
        out,
        "audited",
        (report.auditedTo() == null ? "nothing" : "up to " + report.auditedTo())
            + " by relay "
            + report.relay());
    AuditReport.Outbox outbox = report.outbox();
    line(
        out,
        "outbox",
        outbox.events()
            + " events: "
            + outbox.inKafka()
            + " in Kafka, "
            + outbox.parked()
            + " parked, "
            + outbox.deadLetters()
            + " dead letters, "
            + outbox.discarded()
            + " discarded, "
            + outbox.pending()
            + " not audited yet");
    AuditReport.Records kafka = report.kafka();
    line(
        out,
        "kafka",
        kafka.originals()
            + " records, "
            + kafka.repairs()
            + " repairs, "
            + kafka.replays()
            + " replays, "
            + kafka.unreadable()
            + " that are no events");
    line(
        out,
        "operations",
        report.operations().isEmpty()
            ? "none"
            : new TreeMap<>(report.operations())
                .entrySet().stream()
                    .map(state -> state.getKey() + " " + state.getValue())
                    .collect(Collectors.joining(", ")));
    for (Kind kind : Kind.values()) {
      line(out, kind.label(), Long.toString(report.counts().getOrDefault(kind.key(), 0L)));
    }
    if (!report.findings().isEmpty()) {
      out.println();
      TextTable table = new TextTable("FINDING", "EVENT", "OPERATION", "WORKSPACE", "TYPE", "WHAT");
      report
          .findings()
          .forEach(
              finding ->
                  table.row(
                      finding.kind().label(),
                      finding.eventId(),
                      finding.operationId(),
                      finding.workspaceId(),
                      finding.eventType(),
                      finding.what()));
      table.print(out);
    }
    out.println();
    report.unproven().forEach(doubt -> out.println("Not proven: " + doubt + "."));
    out.println(
        switch (report.verdict()) {
          case PROVEN ->
              outbox.events() == 0
                  ? "Proven: there are no events in the range, and no records either."
                  : "Proven: every event of the range is in Kafka or visibly parked, once and in"
                      + " order; nothing else is there, and nothing hangs.";
          case FOUND -> "Found: see the table; onceward events show EVENT tells the life of each.";
          case NOT_PROVEN -> "Nothing wrong was found, but not all could be proven.";
        });
    out.flush();
  }

  private static void line(PrintWriter out, String name, String value) {
    out.println(String.format(Locale.ROOT, "%-13s %s", name, value));
  }
}
