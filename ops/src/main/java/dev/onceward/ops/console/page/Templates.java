package dev.onceward.ops.console.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Renders templates. Thread-safe. */
public final class Templates {

  private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

  /**
   * A template with its values.
   *
   * @param name without its ending
   * @param values by the names of the template's parameters
   */
  public String render(String name, Map<String, @Nullable Object> values) {
    StringOutput html = new StringOutput();
    engine.render(name + ".jte", values, html);
    return html.toString();
  }
}
