package dev.onceward.ops;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.onceward.process.Secret;
import dev.onceward.process.Settings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every command has, and what they lead to. Confined to the command's thread. */
public final class OpsOptions {

  /** How a result is written. */
  public enum Output {
    /** For people. */
    TEXT,
    /** One JSON document. */
    JSON
  }

  /** Logs in for commands that look. */
  public static final String READING_ROLE = "onceward_ops_read";

  /** Logs in for commands that change something. */
  public static final String WRITING_ROLE = "onceward_ops";

  private static final String CONNECT_TIMEOUT_SECONDS = "5";
  private static final String SOCKET_TIMEOUT_SECONDS = "60";

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(new SimpleModule().addSerializer(new EnumText()))
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Properties file with onceward.database.url, user and password.")
  private @Nullable Path configFile;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES} (default: text).")
  private Output output = Output.TEXT;

  /** Whether the result is to be JSON. */
  public boolean json() {
    return output == Output.JSON;
  }

  /**
   * Reads the settings: system properties, environment, then the file of {@code --config} or else
   * of {@code ONCEWARD_CONFIG}.
   */
  public Settings settings() {
    String named = System.getenv("ONCEWARD_CONFIG");
    Path file = configFile;
    if (file == null && named != null && !named.isEmpty()) {
      file = Path.of(named);
    }
    return Settings.load(file);
  }

  /**
   * Opens a connection to the database that the settings name.
   *
   * @param defaultUser the role when none is named
   * @throws SQLException when the server refuses or does not answer within 5 s
   */
  public Connection connect(Settings settings, String defaultUser) throws SQLException {
    String url = databaseUrl(settings);
    String user = settings.text("onceward.database.user", defaultUser, "Role to log in as.");
    Secret password = settings.optionalSecret("onceward.database.password", "Of the role.");
    settings.verify();
    return open(url, user, password);
  }

  /**
   * Opens a connection of the role that may drop and make replication slots: {@code
   * onceward.ops.slot-user}, or else the one of all other commands.
   *
   * @throws SQLException when the server refuses or does not answer within 5 s
   */
  public Connection connectForSlots(Settings settings) throws SQLException {
    String user =
        settings.optionalText("onceward.ops.slot-user", "Role that drops and makes slots.");
    Secret password = settings.optionalSecret("onceward.ops.slot-password", "Of that role.");
    if (user == null) {
      return connect(settings, WRITING_ROLE);
    }
    settings.verify();
    return open(databaseUrl(settings), user, password);
  }

  private static String databaseUrl(Settings settings) {
    return settings.text(
        "onceward.database.url", "JDBC address, jdbc:postgresql://host:port/name.");
  }

  private static Connection open(String url, String user, @Nullable Secret password)
      throws SQLException {
    Properties login = new Properties();
    login.setProperty("user", user);
    if (password != null) {
      login.setProperty("password", password.reveal());
    }
    login.setProperty("ApplicationName", "onceward-ops");
    login.setProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
    login.setProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
    // The server's detail may quote a row.
    login.setProperty("logServerErrorDetail", "false");
    return DriverManager.getConnection(url, login);
  }

  /** A value as indented JSON with snake_case names and enum constants in lower case. */
  public static String toJson(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a result cannot be written as JSON", impossible);
    }
  }
}
