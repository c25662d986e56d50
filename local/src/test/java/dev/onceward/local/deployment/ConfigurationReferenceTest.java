package dev.onceward.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.process.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/configuration.md} says what the code says. Its tables stand between markers and are
 * written by {@code -Donceward.docs=write}; the text around them is written by people.
 */
final class ConfigurationReferenceTest {
  private static final Path PAGE = ProcessSettings.ROOT.resolve("docs/configuration.md");
  private static final String END = "<!-- end -->\n";
  private static final Pattern LITERAL = Pattern.compile("\"(onceward\\.[a-z][a-z0-9.-]*)\"");

  @Test
  void the_tables_of_the_page_are_what_the_processes_read() throws IOException {
    String page = Files.readString(PAGE);
    String expected = page;
    for (Map.Entry<String, List<Setting>> section : sections().entrySet()) {
      expected = replaced(expected, section.getKey(), table(section.getValue()));
    }
    if ("write".equals(System.getProperty("onceward.docs"))) {
      Files.writeString(PAGE, expected);
    } else {
      assertThat(page)
          .as("write it anew: mvn -pl local -am test -Dtest=%s -Donceward.docs=write", getClass())
          .isEqualTo(expected);
    }
  }

  @Test
  void no_setting_is_read_that_the_page_does_not_name() throws IOException {
    // The name of the file, which is no setting in it.
    Set<String> known = new TreeSet<>(Set.of("onceward.config"));
    sections().values().forEach(list -> list.forEach(setting -> known.add(setting.key())));
    List<String> unknown = new ArrayList<>();
    for (Path source : sourcesThatReadSettings()) {
      Matcher matcher = LITERAL.matcher(Files.readString(source));
      while (matcher.find()) {
        String literal = matcher.group(1);
        // Also what keys begin with: sections, and what is passed on.
        if (known.stream().noneMatch(key -> key.startsWith(literal))) {
          unknown.add(source.getFileName() + ": " + literal);
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void the_page_names_each_variable_that_prepares_a_database() throws IOException {
    assertThat(Files.readString(PAGE)).contains(ProcessSettings.migration());
  }

  private static Map<String, List<Setting>> sections() {
    Map<String, List<Setting>> sections = new LinkedHashMap<>();
    sections.put("api", ProcessSettings.api());
    sections.put("cdc-relay", ProcessSettings.relay());
    sections.put("workers", ProcessSettings.workers());
    sections.put("http-handler", ProcessSettings.httpHandler());
    sections.put("console", ProcessSettings.console());
    sections.put("commands", ProcessSettings.commands());
    return sections;
  }

  private static List<Path> sourcesThatReadSettings() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : List.of("process", "db", "api", "cdc-relay", "workers", "ops")) {
      try (Stream<Path> files =
          Files.walk(ProcessSettings.ROOT.resolve(module).resolve("src/main/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(ConfigurationReferenceTest::readsSettings)
            .forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(6);
    return sources;
  }

  private static boolean readsSettings(Path source) {
    try {
      String text = Files.readString(source);
      return text.contains("import dev.onceward.process.Settings;")
          || text.contains("Settings settings)");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static String replaced(String page, String section, String table) {
    String begin = "<!-- generated: " + section + " -->\n";
    int from = page.indexOf(begin);
    assertThat(from).as("the page has the marker %s", begin).isNotNegative();
    int to = page.indexOf(END, from);
    assertThat(to).as("%s has an end", begin).isNotNegative();
    return page.substring(0, from + begin.length()) + table + page.substring(to);
  }

  private static String table(List<Setting> settings) {
    StringBuilder table = new StringBuilder("| setting | what | values |\n|---|---|---|\n");
    Set<String> seen = new TreeSet<>();
    for (Setting setting : settings) {
      if (seen.add(setting.key())) {
        table
            .append("| `")
            .append(setting.key())
            .append("` | ")
            .append(setting.description().replace("|", "\\|"))
            .append(" | ")
            .append(values(setting))
            .append(" |\n");
      }
    }
    return table.toString();
  }

  private static String values(Setting setting) {
    StringBuilder values = new StringBuilder(setting.kind());
    if (setting.unit() != null) {
      values.append(" (").append(setting.unit()).append(')');
    }
    if (setting.required()) {
      values.append(", required");
    } else if (setting.defaultValue() != null) {
      values.append(", default `").append(setting.defaultValue()).append('`');
    } else if (!setting.key().endsWith("*")) {
      values.append(", optional");
    }
    return values.toString();
  }
}
