package dev.onceward.ops.change;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** Where an operator sits, or nobody. */
public interface Terminal {

  /** Whether somebody can see a question and answer it. */
  boolean isInteractive();

  /** The next line that is typed, without its end; null when there is none. */
  @Nullable String readLine();

  /** The terminal of this process. */
  static Terminal ofProcess() {
    return new Terminal() {
      @Override
      public boolean isInteractive() {
        return isTerminal(System.console());
      }

      @Override
      public @Nullable String readLine() {
        try {
          return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))
              .readLine();
        } catch (IOException unreadable) {
          return null;
        }
      }
    };
  }

  /** From Java 22 on there is a console without a terminal as well, and it can be asked. */
  private static boolean isTerminal(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException before22) {
      return true;
    } catch (ReflectiveOperationException unasked) {
      return false;
    }
  }
}
