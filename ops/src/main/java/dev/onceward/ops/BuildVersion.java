package dev.onceward.ops;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar that runs. */
public final class BuildVersion implements IVersionProvider {

  /** Such as {@code 0.1.0}. */
  public static String text() {
    @Nullable String version = BuildVersion.class.getPackage().getImplementationVersion();
    return version == null ? "(unpacked)" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"onceward " + text()};
  }
}
