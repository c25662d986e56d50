package dev.onceward.embedded;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** PostgreSQL as a child process. Thread-safe: every change of state holds the monitor. */
final class EmbeddedPostgres implements PostgresServer {
  private static final String NAME = "postgresql";
  private static final String SUPERUSER = "postgres";
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final int PORT_TRIES = 3;
  private static final int TAIL_LINES = 20;

  private final PostgresOptions options;
  private final ServerUser user;
  private final PostgresBinaries binaries;
  private final WorkDirectory work;
  private final PostgresDirectory directory;
  private final String password;
  private volatile int port;
  private volatile @Nullable ChildProcess postmaster;
  private boolean closed;

  private EmbeddedPostgres(
      PostgresOptions options,
      ServerUser user,
      PostgresBinaries binaries,
      WorkDirectory work,
      Origin origin) {
    this.options = options;
    this.user = user;
    this.work = work;
    this.binaries = binaries;
    this.directory = new PostgresDirectory(work, binaries, user);
    this.password = origin.fill(directory);
  }

  /** Where a server's first data comes from; returns the superuser's password. */
  private interface Origin {
    String fill(PostgresDirectory directory);
  }

  static EmbeddedPostgres started(PostgresOptions options) {
    ServerUser user = ServerUser.detect();
    return started(options, user, CacheDirectory.forUser(user));
  }

  static EmbeddedPostgres started(PostgresOptions options, BaseCopy copy) {
    ServerUser user = ServerUser.detect();
    return started(
        options,
        user,
        CacheDirectory.forUser(user),
        directory -> directory.prepare(copy, /* standby= */ false));
  }

  static EmbeddedPostgres startedAsStandby(
      PostgresOptions options, BaseCopy copy, PostgresServer primary) {
    // A database is named for the synchronisation of slots; the stream itself ignores it.
    String primaryConnection =
        "host=%s port=%d user=%s password=%s dbname=postgres application_name=standby"
            .formatted(
                primary.host(), primary.port(), primary.superuser(), primary.superuserPassword());
    ServerUser user = ServerUser.detect();
    return started(
        options.withSetting("primary_conninfo", primaryConnection),
        user,
        CacheDirectory.forUser(user),
        directory -> directory.prepare(copy, /* standby= */ true));
  }

  static EmbeddedPostgres started(PostgresOptions options, ServerUser user, Path cache) {
    return started(
        options, user, cache, directory -> directory.prepare(SUPERUSER, options.isDurable()));
  }

  private static EmbeddedPostgres started(
      PostgresOptions options, ServerUser user, Path cache, Origin origin) {
    if (options.port() != 0) {
      FreePorts.requireFree(options.port(), NAME);
    }
    PostgresBinaries binaries = PostgresBinaries.unpacked(cache);
    WorkDirectory work = WorkDirectory.open(options.directory(), NAME);
    try {
      EmbeddedPostgres server = new EmbeddedPostgres(options, user, binaries, work, origin);
      server.startFirst();
      return server;
    } catch (RuntimeException e) {
      work.close();
      throw e;
    }
  }

  private synchronized void startFirst() {
    if (options.port() != 0) {
      port = options.port();
      start();
      return;
    }
    for (int attempt = 1; ; attempt++) {
      port = FreePorts.next();
      try {
        start();
        return;
      } catch (InfrastructureException e) {
        if (attempt == PORT_TRIES || FreePorts.isFree(port)) {
          throw e;
        }
        // another process took the port first: take another
      }
    }
  }

  @Override
  public String host() {
    return "127.0.0.1";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String superuser() {
    return SUPERUSER;
  }

  @Override
  public String superuserPassword() {
    return password;
  }

  @Override
  public boolean isRunning() {
    ChildProcess child = postmaster;
    return child != null && child.isAlive();
  }

  @Override
  public synchronized void start() {
    if (closed) {
      throw new IllegalStateException("This PostgreSQL server has been closed.");
    }
    if (isRunning()) {
      return;
    }
    FreePorts.requireFree(port, NAME);
    directory.writeSettings(PostgresSettings.withDefaults(options.settings()), port);
    ChildProcess child =
        ChildCommand.program(
                NAME, user.command(binaries.program("postgres"), "-D", directory.data().toString()))
            .withEnvironment("LC_ALL", "C")
            .withOutput(directory.log())
            .withStopSignal(ShutdownMode.FAST.signal())
            .start();
    postmaster = child;
    try {
      PostgresReadiness.await(this, new Starting(child, port, work.path()), options.startLimit());
    } catch (RuntimeException e) {
      child.kill();
      throw e;
    }
  }

  /** How the readiness check sees the child. */
  private record Starting(ChildProcess child, int port, Path directory) implements StartingServer {
    @Override
    public boolean awaitExit(Duration limit) {
      return child.awaitExit(limit);
    }

    @Override
    public String place() {
      return "in %s with the log %s".formatted(directory, child.output());
    }

    @Override
    public InfrastructureException ended() {
      return PostgresFailure.explain(child.outputTail(TAIL_LINES), port, directory);
    }
  }

  @Override
  public synchronized void stop(ShutdownMode mode) {
    ChildProcess child = postmaster;
    if (child == null || !child.isAlive()) {
      return;
    }
    child.send(mode.signal());
    if (!child.awaitExit(STOP_LIMIT)) {
      throw new InfrastructureException(
          "PostgreSQL on port %d still runs %d s after a %s shutdown was asked for. %s"
              .formatted(
                  port,
                  STOP_LIMIT.toSeconds(),
                  mode,
                  mode == ShutdownMode.SMART
                      ? "It waits for its clients: disconnect them or use FAST."
                      : "See its log " + directory.log()));
    }
  }

  @Override
  public synchronized void kill() {
    ChildProcess child = postmaster;
    if (child == null || !child.isAlive()) {
      return;
    }
    ProcessTree children = ProcessTree.below(child.pid());
    child.kill();
    children.kill();
  }

  @Override
  public synchronized void suspend() {
    ChildProcess child = running();
    child.suspend(); // first, so that no process is added
    ProcessTree.below(child.pid()).send(Signal.STOP);
  }

  @Override
  public synchronized void resume() {
    ChildProcess child = running();
    ProcessTree.below(child.pid()).send(Signal.CONT);
    child.resume();
  }

  private ChildProcess running() {
    ChildProcess child = postmaster;
    if (child == null || !child.isAlive()) {
      throw new IllegalStateException("PostgreSQL on port " + port + " does not run.");
    }
    return child;
  }

  @Override
  public String logTail() {
    ChildProcess child = postmaster;
    return child == null ? "" : String.join("\n", child.outputTail(TAIL_LINES));
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    ChildProcess child = postmaster;
    if (child != null && child.isAlive()) {
      child.send(work.isTemporary() ? Signal.QUIT : Signal.INT);
      resume(); // suspended ones act on the signal only now
      if (!child.awaitExit(STOP_LIMIT)) {
        kill();
      }
    }
    work.close();
  }

  @Override
  public String toString() {
    return "PostgreSQL " + binaries.majorVersion() + " on port " + port + " in " + work.path();
  }
}
