package dev.onceward.process;

import dev.onceward.process.ConfigurationException.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds names that somebody set and nobody reads. Names are compared in the spelling of their
 * source: environment names with environment names.
 */
final class UnknownNames {
  private final List<String> known = new ArrayList<>();
  private final List<String> passthroughs = new ArrayList<>();
  private final List<String> owned = new ArrayList<>();

  UnknownNames(
      Collection<String> read,
      Collection<String> reserved,
      Collection<String> passthroughs,
      Collection<String> ownedSections) {
    for (Collection<String> keys : List.of(read, reserved)) {
      for (String key : keys) {
        known.add(key);
        known.add(Setting.environmentName(key));
      }
    }
    for (String prefix : passthroughs) {
      this.passthroughs.add(prefix);
      this.passthroughs.add(Setting.environmentName(prefix));
    }
    for (String section : ownedSections) {
      owned.add(section + ".");
      owned.add(Setting.environmentName(section + "."));
    }
  }

  /**
   * @param names name → where it is set
   * @return a problem for each one to refuse, by name
   */
  List<Problem> find(Map<String, String> names) {
    Map<String, Problem> problems = new TreeMap<>();
    names.forEach(
        (name, origin) -> {
          Problem problem = judge(name, origin);
          if (problem != null) {
            problems.put(name, problem);
          }
        });
    return List.copyOf(problems.values());
  }

  private @Nullable Problem judge(String name, String origin) {
    if (known.contains(name) || passthroughs.stream().anyMatch(name::startsWith)) {
      return null;
    }
    boolean inOwnedSection = owned.stream().anyMatch(name::startsWith);
    String meant = Spelling.nearest(name, known, inOwnedSection ? name.length() / 4 : 1);
    if (meant == null && !inOwnedSection) {
      return null;
    }
    String remedy = meant == null ? "Remove it; --help lists the names" : "Did you mean " + meant;
    return new Problem(name, "is unknown (set in " + origin + ")", remedy);
  }
}
