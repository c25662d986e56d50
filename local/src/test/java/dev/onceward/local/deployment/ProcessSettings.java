package dev.onceward.local.deployment;

import dev.onceward.process.Setting;
import dev.onceward.process.Settings;
import dev.onceward.process.SettingsReference;
import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of each process, asked of its own code. This module has the processes at run time
 * only, so they are found by name.
 */
final class ProcessSettings {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final String HANDLERS = "onceward.worker.http-handlers";
  private static final String HANDLER = "onceward.worker.http-handler.";
  private static final Pattern VARIABLE = Pattern.compile("\"(ONCEWARD_[A-Z_]+)\"");

  private ProcessSettings() {}

  static List<Setting> api() {
    return SettingsReference.of(s -> read("dev.onceward.api.ApiConfig", s), Map.of());
  }

  static List<Setting> relay() {
    return SettingsReference.of(s -> read("dev.onceward.relay.RelayConfig", s), Map.of());
  }

  static List<Setting> console() {
    return SettingsReference.of(
        s -> read("dev.onceward.ops.console.ConsoleConfig", s),
        Map.of(
            "onceward.database.url",
            "jdbc:postgresql://localhost/onceward",
            "onceward.kafka.bootstrap.servers",
            "localhost:9092"));
  }

  /** Without those of single HTTP endpoints. */
  static List<Setting> workers() {
    return worker(false);
  }

  /** Those of one HTTP endpoint, called NAME. */
  static List<Setting> httpHandler() {
    return worker(true).stream()
        .map(
            setting ->
                new Setting(
                    setting.key().replace(HANDLER + "name", HANDLER + "NAME"),
                    setting.kind(),
                    setting.defaultValue(),
                    setting.unit(),
                    setting.required(),
                    setting.secret(),
                    setting.description().replace(HANDLER + "name", HANDLER + "NAME")))
        .toList();
  }

  /** Of all commands together. */
  static List<Setting> commands() {
    List<Setting> all = new ArrayList<>();
    all.addAll(
        SettingsReference.ofCommand(
            settings -> {
              read("dev.onceward.ops.kafka.RelayRouting", settings);
              return null;
            }));
    all.addAll(
        SettingsReference.ofCommand(
            settings -> {
              read("dev.onceward.ops.doctor.DoctorSettings", settings);
              return null;
            }));
    all.addAll(
        SettingsReference.ofCommand(
            settings ->
                call(
                    "dev.onceward.ops.OpsOptions",
                    "connectForSlots",
                    instance("dev.onceward.ops.OpsOptions"),
                    settings)));
    return all;
  }

  /** The environment variables that prepare a database. */
  static Set<String> migration() throws IOException {
    String source =
        Files.readString(
            ROOT.resolve("db/src/main/java/dev/onceward/db/migration/MigrateMain.java"));
    Set<String> names = new TreeSet<>();
    Matcher matcher = VARIABLE.matcher(source);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private static List<Setting> worker(boolean ofHandler) {
    return SettingsReference.of(
            s -> read("dev.onceward.worker.WorkerConfig", s), Map.of(HANDLERS, "name"))
        .stream()
        .filter(setting -> setting.key().startsWith(HANDLER) == ofHandler)
        .toList();
  }

  private static @Nullable Object read(String type, Settings settings) {
    return call(type, "from", null, settings);
  }

  private static @Nullable Object call(
      String type, String name, @Nullable Object target, Settings settings) {
    try {
      Method method = Class.forName(type).getDeclaredMethod(name, Settings.class);
      open(method);
      return method.invoke(target, settings);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(type + "." + name + " failed", thrown.getCause());
    } catch (ReflectiveOperationException gone) {
      throw new LinkageError(type + "." + name + " is read by this test", gone);
    }
  }

  private static Object instance(String type) {
    try {
      Constructor<?> constructor = Class.forName(type).getDeclaredConstructor();
      open(constructor);
      return constructor.newInstance();
    } catch (ReflectiveOperationException gone) {
      throw new LinkageError(type + " is made by this test", gone);
    }
  }

  private static void open(AccessibleObject member) {
    member.setAccessible(true);
  }
}
