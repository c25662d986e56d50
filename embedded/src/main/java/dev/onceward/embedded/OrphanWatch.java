package dev.onceward.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One shell beside this JVM that ends its children and deletes its temporary directories when the
 * JVM ends, however it ends. Thread-safe.
 *
 * <p>The shell reads our orders from a pipe whose other end only this JVM holds, so that end of
 * file means that the JVM is gone. It then sends each child its stop signal, waits up to 20 s,
 * sends SIGKILL to what is left, and deletes the directories. It works on every POSIX system, and
 * unlike Linux's parent-death signal it does not depend on the thread that started the child. A JVM
 * killed between the start of a child and the order to watch it (microseconds) leaves that child
 * behind.
 */
final class OrphanWatch {
  private static final String SCRIPT =
      """
      set -f
      trap '' INT TERM HUP QUIT
      watched=''
      zombie() { # ended, but its new parent has not noticed
        [ -r "/proc/$1/stat" ] && read -r _ _ state _ <"/proc/$1/stat" && [ "$state" = Z ]
      }
      alive() {
        for w in $watched; do
          kill -0 "${w#*:}" 2>/dev/null && ! zombie "${w#*:}" && return 0
        done
        return 1
      }
      while IFS= read -r line; do
        verb=${line%% *}; rest=${line#* }
        case $verb in
          watch) watched="$watched $rest" ;;
          forget)
            kept=''
            for w in $watched; do [ "${w#*:}" = "$rest" ] || kept="$kept $w"; done
            watched=$kept ;;
          delete) set -- "$@" "$rest" ;;
          keep)
            n=$#
            while [ "$n" -gt 0 ]; do
              d=$1; shift; n=$((n-1))
              [ "$d" = "$rest" ] || set -- "$@" "$d"
            done ;;
        esac
      done
      for w in $watched; do
        kill -"${w%%:*}" "${w#*:}" 2>/dev/null
        kill -CONT "${w#*:}" 2>/dev/null
      done
      i=0
      while [ "$i" -lt 200 ] && alive; do sleep 0.1; i=$((i+1)); done
      for w in $watched; do kill -KILL "${w#*:}" 2>/dev/null; done
      for d in "$@"; do rm -rf -- "$d" || { sleep 1; rm -rf -- "$d"; }; done
      """;

  private static @Nullable Writer orders;

  private OrphanWatch() {}

  /** From now on, ends the process with this signal if the JVM ends. */
  static void watch(long pid, Signal stopSignal) {
    order("watch " + stopSignal + ":" + pid);
  }

  /** The process has ended; its id may soon be another's. */
  static void forget(long pid) {
    order("forget " + pid);
  }

  /** From now on, deletes the directory if the JVM ends. */
  static void deleteAtEnd(Path directory) {
    order("delete " + directory);
  }

  /** The directory is gone or no longer temporary. */
  static void keep(Path directory) {
    order("keep " + directory);
  }

  private static synchronized void order(String line) {
    if (line.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("A line break in a path is not supported: " + line);
    }
    try {
      Writer writer = orders;
      if (writer == null) {
        writer = start();
        orders = writer;
      }
      writer.write(line + "\n");
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The shell that ends the children of this JVM cannot be reached; was it killed?", e);
    }
  }

  private static Writer start() throws IOException {
    Process shell =
        new ProcessBuilder(OwnSession.command(List.of("sh", "-c", SCRIPT, "onceward-orphan-watch")))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    return shell.outputWriter(StandardCharsets.UTF_8);
  }
}
