package example;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a Workload says, and the entries of its checks. */
final class Workloads {
  private static final int LONGEST_MESSAGE = 250; // of up to four bytes a character
  private static final Set<String> DECISIONS = Set.of("Ready", "Retry", "Rejected");

  private Workloads() {}

  /** A Workload may be judged while it has quota, and is neither on its way out nor at its end. */
  static boolean mayBeJudged(GenericKubernetesResource workload) {
    Map<?, ?> spec = (Map<?, ?>) workload.getAdditionalProperties().get("spec");
    return Conditions.isTrue(workload, "QuotaReserved")
        && !Conditions.isTrue(workload, "Evicted")
        && !Conditions.isTrue(workload, "Finished")
        && workload.getMetadata().getDeletionTimestamp() == null
        && !Boolean.FALSE.equals(spec.get("active"));
  }

  static List<Map<String, Object>> entries(GenericKubernetesResource workload) {
    return Conditions.list(workload, "admissionChecks");
  }

  static GenericKubernetesResource withEntries(GenericKubernetesResource workload, List<Map<String, Object>> entries) {
    return Conditions.withStatus(workload, "admissionChecks", entries);
  }

  /** Tells whether an entry stops the Workload: Kueue moves it on. */
  static boolean isAgainst(Map<String, Object> entry) {
    return "Retry".equals(entry.get("state")) || "Rejected".equals(entry.get("state"));
  }

  /** Returns the entry with a verdict: its time moves only with its state, and Kueue's retryCount stays. */
  static Map<String, Object> answered(Map<String, Object> entry, JsonNode verdict) {
    String state = verdict.path("state").asText();
    boolean waits = "Pending".equals(state) && "Pending".equals(entry.get("state")) && verdict.has("message");
    if (!waits && !DECISIONS.contains(state)) {
      return entry;
    }
    Map<String, Object> answered = new LinkedHashMap<>(entry);
    answered.remove("requeueAfterSeconds");
    String message = verdict.path("message").asText("");
    message = message.isEmpty() ? "The outside system says " + state : message;
    answered.put("state", state);
    answered.put("message", message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message);
    if (!state.equals(entry.get("state"))) {
      answered.put("lastTransitionTime", Conditions.timestamp());
    }
    // The API takes no delay below zero.
    if ("Retry".equals(state) && verdict.path("requeueAfterSeconds").asInt(-1) >= 0) {
      answered.put("requeueAfterSeconds", verdict.get("requeueAfterSeconds").asInt());
    }
    return answered;
  }
}
