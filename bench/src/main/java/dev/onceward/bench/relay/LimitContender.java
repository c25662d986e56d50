package dev.onceward.bench.relay;

import dev.onceward.embedded.ChildCommand;
import java.util.List;

/** The smallest reader in front of a producer. */
record LimitContender(List<String> jvmFlags) implements Contender {
  @Override
  public String name() {
    return "limit";
  }

  @Override
  public ChildCommand command(Lane lane) {
    return ClientSettings.give(
        ChildCommand.java(name(), LimitMain.class.getName(), jvmFlags, List.of()),
        lane,
        lane.servers().url(),
        "onceward_relay");
  }
}
