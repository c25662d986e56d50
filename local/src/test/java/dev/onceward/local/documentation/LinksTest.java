package dev.onceward.local.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinksTest {

  @Test
  void every_link_inside_the_repository_leads_to_a_file_and_a_heading() throws IOException {
    List<String> broken = new ArrayList<>();
    int followed = 0;
    for (Page page : Page.all()) {
      for (String link : page.links()) {
        followed++;
        if (!leadsSomewhere(page, link)) {
          broken.add(Page.ROOT.relativize(page.file()) + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(followed).isGreaterThan(100);
  }

  @Test
  void a_heading_is_found_by_what_github_makes_of_it() {
    Page page =
        new Page(
            Page.ROOT.resolve("x.md"),
            """
            # What `onceward` is, and [what](y.md) it isn't
            ## 用法
            ## Again
            ## Again
            ```sh
            # no heading
            ```
            [there](y.md#again), `[no](link)`, <img src="z.png">, https://example.com
            """);

    assertThat(page.anchors())
        .containsExactlyInAnyOrder("what-onceward-is-and-what-it-isnt", "用法", "again", "again-1");
    assertThat(page.links()).containsExactly("y.md", "y.md#again", "z.png");
    assertThat(leadsSomewhere(page, "README.md#use-it")).isTrue();
    assertThat(leadsSomewhere(page, "README.md#no-such-heading")).isFalse();
    assertThat(leadsSomewhere(page, "docs/no-such-page.md")).isFalse();
    assertThat(leadsSomewhere(page, "#again-1")).isTrue();
  }

  private static boolean leadsSomewhere(Page page, String link) {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path folder = page.file().resolveSibling("");
    Path target = path.isEmpty() ? page.file() : folder.resolve(path).normalize();
    if (!target.startsWith(Page.ROOT) || (!path.isEmpty() && !Files.exists(target))) {
      return false;
    }
    if (hash < 0) {
      return true;
    }
    Page there = path.isEmpty() ? page : Page.read(target);
    return there.anchors().contains(link.substring(hash + 1));
  }
}
