package dev.onceward.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to start as a child process. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param name what messages call the process
 * @param command the program and its arguments
 * @param environment variables added to those of this JVM
 * @param output the file that standard output and standard error are appended to; null discards
 *     both
 * @param stopSignal what asks the process to end
 */
public record ChildCommand(
    String name,
    List<String> command,
    Map<String, String> environment,
    @Nullable Path output,
    Signal stopSignal) {

  /** Copies what can change. */
  public ChildCommand {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /** Any program. */
  public static ChildCommand program(String name, List<String> command) {
    return new ChildCommand(name, command, Map.of(), null, Signal.TERM);
  }

  /**
   * A main class, run with the Java and the class path of this JVM.
   *
   * @param jvmArguments such as {@code -Xmx256m} or {@code -Dkey=value}
   */
  public static ChildCommand java(
      String name, String mainClass, List<String> jvmArguments, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass);
    command.addAll(arguments);
    return program(name, command);
  }

  /** With one more environment variable. */
  public ChildCommand withEnvironment(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(environment);
    changed.put(key, value);
    return new ChildCommand(name, command, changed, output, stopSignal);
  }

  /** With this file for the output; missing parent directories are made at the start. */
  public ChildCommand withOutput(Path file) {
    return new ChildCommand(name, command, environment, file, stopSignal);
  }

  /** With this signal as the request to end. */
  public ChildCommand withStopSignal(Signal signal) {
    return new ChildCommand(name, command, environment, output, signal);
  }

  /**
   * Starts the process.
   *
   * @throws InfrastructureException if the program cannot be run or the output file not be written
   */
  public ChildProcess start() {
    return ChildProcess.start(this);
  }
}
