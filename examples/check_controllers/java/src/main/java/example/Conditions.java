package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Status and conditions of an object of Kueue's. */
final class Conditions {
  private Conditions() {}

  /** Returns a copy of the status, empty where there is none. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> status(GenericKubernetesResource object) {
    Object status = object.getAdditionalProperties().get("status");
    return status == null ? new LinkedHashMap<>() : new LinkedHashMap<>((Map<String, Object>) status);
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> list(GenericKubernetesResource object, String field) {
    return (List<Map<String, Object>>) status(object).getOrDefault(field, List.of());
  }

  static Map<String, Object> condition(GenericKubernetesResource object, String type) {
    return list(object, "conditions").stream().filter(one -> type.equals(one.get("type"))).findFirst().orElse(Map.of());
  }

  static boolean isTrue(GenericKubernetesResource object, String type) {
    return "True".equals(condition(object, type).get("status"));
  }

  /** Returns a copy of an object with another status. */
  static GenericKubernetesResource withStatus(GenericKubernetesResource object, String field, Object value) {
    Map<String, Object> status = status(object);
    status.put(field, value);
    GenericKubernetesResource copy = new GenericKubernetesResource();
    copy.setApiVersion(object.getApiVersion());
    copy.setKind(object.getKind());
    copy.setMetadata(object.getMetadata());
    copy.setAdditionalProperties(new LinkedHashMap<>(object.getAdditionalProperties()));
    copy.setAdditionalProperty("status", status);
    return copy;
  }

  static String timestamp() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
