package dev.onceward.local.torture;

import java.util.ArrayList;
import java.util.List;

/** Counts findings of one kind and keeps the first. Confined to one thread. */
public final class FindingList {

  private static final int KEPT = 10;

  private final List<String> first = new ArrayList<>();
  private long count;

  public void add(String what) {
    count++;
    if (first.size() < KEPT) {
      first.add(what);
    }
  }

  public Finding finding() {
    return new Finding(count, first);
  }
}
