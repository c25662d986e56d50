package dev.onceward.local.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page in Markdown, as GitHub shows it. Immutable.
 *
 * @param file where it stands
 * @param text its source
 */
record Page(Path file, String text) {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern FENCED =
      Pattern.compile("(?ms)^(```+)(?<language>[a-z]*)\n(?<code>.*?)^\\1$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]+`");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)\\)|\\b(?:src|srcset|href)=\"([^\"]+)\"");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
  private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

  /** All pages of the repository that people read. */
  static List<Page> all() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).forEach(files::add);
    }
    return files.stream().sorted().map(Page::read).toList();
  }

  static Page read(Path file) {
    try {
      return new Page(file, Files.readString(file));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The blocks of code in that language. */
  List<String> code(String language) {
    return FENCED
        .matcher(text)
        .results()
        .filter(block -> block.group(2).equals(language))
        .map(block -> block.group(3))
        .toList();
  }

  /** What it refers to in the repository, itself included; nothing that looks like it in code. */
  List<String> links() {
    return LINK.matcher(CODE.matcher(withoutBlocks()).replaceAll(""))
        .results()
        .map(link -> link.group(1) == null ? link.group(2) : link.group(1))
        .filter(link -> !link.matches("[a-z]+:.*"))
        .toList();
  }

  /** What may stand behind a {@code #} in a link to it. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    HEADING
        .matcher(withoutBlocks())
        .results()
        .map(heading -> anchorOf(heading.group(1)))
        .forEach(
            anchor -> {
              int before = seen.merge(anchor, 1, Integer::sum) - 1;
              anchors.add(before == 0 ? anchor : anchor + "-" + before);
            });
    ANCHOR.matcher(text).results().map(anchor -> anchor.group(1)).forEach(anchors::add);
    return anchors;
  }

  private String withoutBlocks() {
    return FENCED.matcher(text).replaceAll("");
  }

  private static String anchorOf(String heading) {
    return heading
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "")
        .replace(' ', '-');
  }
}
