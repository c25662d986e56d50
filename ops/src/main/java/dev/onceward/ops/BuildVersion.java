package dev.onceward.ops;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar that runs. */
final class BuildVersion implements IVersionProvider {

  @Override
  public String[] getVersion() {
    @Nullable String version = BuildVersion.class.getPackage().getImplementationVersion();
    return new String[] {"onceward " + (version == null ? "(unpacked)" : version)};
  }
}
