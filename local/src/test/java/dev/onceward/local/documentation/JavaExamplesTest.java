package dev.onceward.local.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java on the pages compiles against the modules as they are. A whole file is taken as it
 * stands; statements are put into a class that has what the page's reader would have.
 */
final class JavaExamplesTest {

  /** Imports, then statements, which may end with a return from a handler. */
  private static final String SURROUNDINGS =
      """
      %s
      abstract class Example {
        javax.sql.DataSource dataSource;
        java.util.UUID workspaceId;
        String invoiceId;
        String requestId;
        String traceparent;

        abstract void placeOrder(java.sql.Connection connection, String id);

        %s example() throws Exception {
          %s
        }
      }
      """;

  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("public (?:final )?(?:class|interface|record) (\\w+)");

  @TempDir static Path classes;

  @TestFactory
  List<DynamicTest> every_example_compiles() throws IOException {
    List<DynamicTest> examples =
        Page.all().stream()
            .flatMap(
                page ->
                    page.code("java").stream()
                        .map(
                            code ->
                                DynamicTest.dynamicTest(
                                    page.file().getFileName() + ": " + firstLine(code),
                                    () -> assertThat(compile(code)).isEmpty())))
            .toList();
    assertThat(examples).hasSizeGreaterThan(3);
    return examples;
  }

  @Test
  void an_example_of_what_is_not_there_is_found() throws IOException {
    assertThat(compile("dev.onceward.db.outbox.OutboxWriter.prepend(null, null);"))
        .singleElement()
        .asString()
        .contains("prepend");
  }

  private static List<String> compile(String code) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    compiler
        .getTask(
            null,
            null,
            found,
            List.of(
                "-proc:none",
                "-implicit:none",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path")),
            null,
            List.of(new Source(isWhole(code) ? code : surrounded(code))))
        .call();
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(each -> "line " + each.getLineNumber() + ": " + each.getMessage(Locale.ROOT))
        .toList();
  }

  private static boolean isWhole(String code) {
    return code.startsWith("package ");
  }

  private static String surrounded(String code) {
    String imports =
        code.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String statements =
        code.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    boolean returns = statements.stripLeading().startsWith("return ");
    return SURROUNDINGS.formatted(
        imports, returns ? "dev.onceward.worker.handle.HandlerResult" : "void", statements);
  }

  private static String firstLine(String code) {
    return code.lines().findFirst().orElse("");
  }

  /** Named by its public class, as the compiler wants it. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///" + name(text) + Kind.SOURCE.extension), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }

    private static String name(String text) {
      Matcher declared = PUBLIC_TYPE.matcher(text);
      return declared.find() ? declared.group(1) : "Example";
    }
  }
}
