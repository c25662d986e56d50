package dev.onceward.local.cluster;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Reads and writes small property files that may hold secrets. Stateless. */
final class PropertiesFile {

  private PropertiesFile() {}

  static Map<String, String> read(Path file) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(Files.readString(file)));
    Map<String, String> values = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      values.put(name, properties.getProperty(name, ""));
    }
    return values;
  }

  /** Replaces the file in one step; only its owner may read it, from its first byte on. */
  static void write(Path file, String comment, Map<String, String> values) throws IOException {
    Properties properties = new Properties();
    properties.putAll(new TreeMap<>(values));
    StringWriter text = new StringWriter();
    properties.store(text, comment);
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.deleteIfExists(next);
    Files.createFile(
        next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(next, text.toString());
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
