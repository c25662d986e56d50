package dev.onceward.bench.relay;

import dev.onceward.embedded.ChildCommand;
import java.util.List;

/** The producer alone: as many records as there are events, out of nothing. */
record ProducerContender(int events, List<String> jvmFlags) implements Contender {
  @Override
  public String name() {
    return "producer";
  }

  @Override
  public ChildCommand command(Lane lane) {
    return ClientSettings.give(
        ChildCommand.java(
            name(), ProducerMain.class.getName(), jvmFlags, List.of(Integer.toString(events))),
        lane,
        lane.servers().url(),
        "onceward_relay");
  }
}
