package dev.onceward.local;

import dev.onceward.process.ExitCode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Turns SIGINT and SIGTERM into an interrupt of the main thread, and waits for it to end. */
public final class StopSignal {

  /** Three services at 30 s each, and the servers. */
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private StopSignal() {}

  /** Runs the body on this thread and ends the JVM with its exit code. */
  public static void endWith(IntSupplier body) {
    Thread main = Thread.currentThread();
    CountDownLatch ended = new CountDownLatch(1);
    AtomicInteger code = new AtomicInteger(ExitCode.FAILURE.number());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(main, ended, code), "stop-signal"));
    code.set(body.getAsInt());
    ended.countDown();
    System.exit(code.get());
  }

  private static void stop(Thread main, CountDownLatch ended, AtomicInteger code) {
    if (ended.getCount() == 0) {
      return; // the body has ended by itself
    }
    main.interrupt();
    try {
      if (ended.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        // A JVM that a signal ends would exit with 128 + its number although all went well.
        Runtime.getRuntime().halt(code.get());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
