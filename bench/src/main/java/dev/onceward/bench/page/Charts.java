package dev.onceward.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** The charts of the page. Stateless. */
final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 380;

  private Charts() {}

  /** Events per second by contender. */
  static void relay(JsonNode report, Path file) throws IOException {
    List<String> names = new ArrayList<>();
    List<Double> whole = new ArrayList<>();
    List<Double> steady = new ArrayList<>();
    for (JsonNode line : report.path("contenders")) {
      names.add(line.path("contender").asText());
      whole.add(line.path("events_per_second").path("median").asDouble());
      steady.add(line.path("steady_per_second").path("median").asDouble());
    }
    CategoryChart chart = chart("Backlog: events per second (more is better)");
    chart.addSeries("all, start included", names, whole);
    chart.addSeries("second half", names, steady);
    save(chart, file);
  }

  /** Latency by contender at the lowest rate, on a logarithmic scale. */
  static void latency(JsonNode report, Path file) throws IOException {
    int rate = report.path("lines").path(0).path("rate").asInt();
    List<String> names = new ArrayList<>();
    List<Double> p50 = new ArrayList<>();
    List<Double> p99 = new ArrayList<>();
    for (JsonNode line : report.path("lines")) {
      if (line.path("rate").asInt() == rate) {
        names.add(line.path("contender").asText());
        p50.add(line.path("p50_millis").path("median").asDouble());
        p99.add(line.path("p99_millis").path("median").asDouble());
      }
    }
    CategoryChart chart = chart("Commit to consumer at " + rate + "/s, ms (less is better)");
    chart.getStyler().setYAxisLogarithmic(true);
    chart.addSeries("p50", names, p50);
    chart.addSeries("p99", names, p99);
    save(chart, file);
  }

  private static CategoryChart chart(String title) {
    CategoryChart chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title).build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNE);
    chart.getStyler().setXAxisLabelRotation(20);
    return chart;
  }

  private static void save(CategoryChart chart, Path file) throws IOException {
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
  }
}
