package honest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What is to be looked at, and when. No two workers are in the same lane at once. */
final class Turns {
  private final UnaryOperator<String> lane;
  private final Map<String, Long> due = new HashMap<>();
  private final Set<String> busy = new HashSet<>();

  Turns(UnaryOperator<String> lane) {
    this.lane = lane;
  }

  synchronized void add(String key, long milliseconds) {
    due.merge(key, System.currentTimeMillis() + milliseconds, Math::min);
    notifyAll();
  }

  synchronized String take() throws InterruptedException {
    while (true) {
      long now = System.currentTimeMillis();
      String next = null;
      long wait = Long.MAX_VALUE;
      for (var entry : due.entrySet()) {
        if (busy.contains(lane.apply(entry.getKey()))) {
          continue;
        }
        if (entry.getValue() - now < wait) {
          wait = entry.getValue() - now;
          next = entry.getKey();
        }
      }
      if (next != null && wait <= 0) {
        due.remove(next);
        busy.add(lane.apply(next));
        return next;
      }
      wait(next == null ? 0 : wait);
    }
  }

  synchronized void done(String key) {
    busy.remove(lane.apply(key));
    notifyAll();
  }
}
