package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an AdmissionCheck says, and the condition Active that is written to it. */
final class AdmissionChecks {
  private AdmissionChecks() {}

  static boolean isOf(GenericKubernetesResource check, String controllerName) {
    Map<?, ?> spec = (Map<?, ?>) check.getAdditionalProperties().get("spec");
    return controllerName.equals(spec.get("controllerName")) && check.getMetadata().getDeletionTimestamp() == null;
  }

  /** Tells whether it is Active, and that was said of its present generation. */
  static boolean isActive(GenericKubernetesResource check) {
    Object generation = Conditions.condition(check, "Active").get("observedGeneration");
    return Conditions.isTrue(check, "Active")
        && generation instanceof Number number
        && number.longValue() == check.getMetadata().getGeneration();
  }

  static GenericKubernetesResource activated(GenericKubernetesResource check) {
    Map<String, Object> active = new LinkedHashMap<>();
    active.put("type", "Active");
    active.put("status", "True");
    active.put("reason", "Active");
    active.put("message", "The check can be used");
    active.put("lastTransitionTime", Conditions.isTrue(check, "Active") ? Conditions.condition(check, "Active").get("lastTransitionTime") : Conditions.timestamp());
    active.put("observedGeneration", check.getMetadata().getGeneration());
    List<Map<String, Object>> conditions = new ArrayList<>(Conditions.list(check, "conditions"));
    conditions.removeIf(one -> "Active".equals(one.get("type")));
    conditions.add(active);
    return Conditions.withStatus(check, "conditions", conditions);
  }
}
