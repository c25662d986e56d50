package dev.onceward.worker;

import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Processes of {@link FaultyWorkersMain}. */
final class FaultyWorkers implements AutoCloseable {

  private final Map<String, String> settings;
  private final int workersEach;
  private final Path directory;
  private final List<ChildProcess> processes = new CopyOnWriteArrayList<>();

  FaultyWorkers(Map<String, String> settings, int workersEach, Path directory) {
    this.settings = settings;
    this.workersEach = workersEach;
    this.directory = directory;
  }

  ChildProcess start() {
    List<String> jvm =
        new ArrayList<>(
            List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dtest.workers=" + workersEach));
    settings.forEach((key, value) -> jvm.add("-D" + key + "=" + value));
    ChildProcess process =
        ChildCommand.java("workers", FaultyWorkersMain.class.getName(), jvm, List.of())
            .withOutput(directory.resolve("workers-" + processes.size() + ".log"))
            .start();
    processes.add(process);
    return process;
  }

  @Override
  public void close() {
    processes.forEach(ChildProcess::kill);
  }
}
