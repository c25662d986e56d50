package dev.onceward.local.matrix;

import java.io.IOException;
import java.sql.SQLException;

/** A record has been sent, and the broker is frozen before it reads it. */
final class AfterSend implements Stage {

  private final Site site;
  private final Writing writing;
  private final FrozenBroker broker;

  AfterSend(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
    this.broker = new FrozenBroker(site);
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    return broker.isReached(writing) && broker.takes(writing);
  }

  @Override
  public void killProcess() {
    site.cluster().relay().kill();
  }

  @Override
  public void release() {
    broker.release();
  }
}
