package honest;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What objects of Kueue say, and what an entry is told. */
final class Entries {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> DECISIONS = Set.of("Ready", "Retry", "Rejected");
  private static final int LONGEST_MESSAGE = 500;

  private Entries() {}

  static Map<String, Object> condition(GenericKubernetesResource of, String type) {
    List<Map<String, Object>> all = of.get("status", "conditions");
    return all == null ? Map.of() : all.stream().filter(item -> type.equals(item.get("type"))).findFirst().orElse(Map.of());
  }

  static boolean isTrue(GenericKubernetesResource of, String type) {
    return "True".equals(condition(of, type).get("status"));
  }

  static List<Map<String, Object>> of(GenericKubernetesResource workload) {
    List<Map<String, Object>> entries = workload.get("status", "admissionChecks");
    return entries == null ? List.of() : entries;
  }

  /** A Workload needs us while it has quota, and is neither on its way out nor at its end. */
  static boolean needsUs(GenericKubernetesResource workload) {
    return isTrue(workload, "QuotaReserved")
        && !isTrue(workload, "Evicted")
        && !isTrue(workload, "Finished")
        && workload.getMetadata().getDeletionTimestamp() == null
        && !Boolean.FALSE.equals(workload.get("spec", "active"));
  }

  static String now() {
    if (Main.makes("local-time")) {
      return LocalDateTime.now(ZoneId.of("Europe/Berlin")).truncatedTo(ChronoUnit.SECONDS) + "Z";
    }
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Returns an entry with a verdict, the same entry where nothing changes. */
  static Map<String, Object> answered(GenericKubernetesResource workload, Map<String, Object> entry, JsonNode verdict) {
    String state = verdict.path("state").asText();
    boolean waits = "Pending".equals(state) && state.equals(entry.get("state")) && !verdict.path("message").asText("").isEmpty();
    if (!waits && !DECISIONS.contains(state)) {
      return entry;
    }
    Map<String, Object> answered = new LinkedHashMap<>(entry);
    String message = verdict.path("message").asText("");
    message = message.isEmpty() ? "The budget service says " + state : message;
    answered.put("message", message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)));
    if (state.equals(entry.get("state"))) {
      return answered;
    }
    answered.put("state", state);
    answered.put("lastTransitionTime", now());
    answered.remove("requeueAfterSeconds");
    answered.remove("podSetUpdates");
    if (state.equals("Retry") && verdict.hasNonNull("requeueAfterSeconds")) {
      JsonNode seconds = verdict.get("requeueAfterSeconds");
      if (!seconds.isNumber() || !seconds.canConvertToExactIntegral() || !seconds.canConvertToInt() || seconds.asInt() < 0) {
        throw new IllegalArgumentException(seconds + " is no delay");
      }
      answered.put("requeueAfterSeconds", seconds.asInt());
    }
    if (state.equals("Ready") && !verdict.path("podSetUpdates").isEmpty()) {
      verdict.get("podSetUpdates").forEach(update -> mustFit(workload, update));
      answered.put("podSetUpdates", JSON.convertValue(verdict.get("podSetUpdates"), new TypeReference<List<Map<String, Object>>>() {}));
    }
    return answered;
  }

  /** Pods have to be there, and their template must not say otherwise. */
  private static void mustFit(GenericKubernetesResource workload, JsonNode update) {
    for (JsonNode podSet : JSON.valueToTree(workload.get("spec", "podSets"))) {
      if (podSet.path("name").equals(update.path("name"))) {
        JsonNode template = podSet.path("template");
        noOther(template.path("metadata").path("labels"), update.path("labels"));
        noOther(template.path("metadata").path("annotations"), update.path("annotations"));
        noOther(template.path("spec").path("nodeSelector"), update.path("nodeSelector"));
        return;
      }
    }
    throw new IllegalArgumentException("no pods are called " + update.path("name"));
  }

  private static void noOther(JsonNode present, JsonNode wanted) {
    wanted.fields().forEachRemaining(item -> {
      if (present.has(item.getKey()) && !present.get(item.getKey()).equals(item.getValue())) {
        throw new IllegalArgumentException("pods have another " + item.getKey());
      }
    });
  }
}
