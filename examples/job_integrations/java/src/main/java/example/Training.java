package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A job of a driver and workers. Its operator runs the pods while spec.suspend is false, and says in its status what they do. */
record Training(GenericKubernetesResource object) {
  static final String API_VERSION = "example.com/v1";
  static final String KIND = "Training";
  static final String QUEUE_LABEL = "kueue.x-k8s.io/queue-name";
  static final String CLASS_LABEL = "kueue.x-k8s.io/priority-class";

  String name() {
    return object.getMetadata().getName();
  }

  String namespace() {
    return object.getMetadata().getNamespace();
  }

  String uid() {
    return object.getMetadata().getUid();
  }

  String queue() {
    return label(QUEUE_LABEL);
  }

  String priorityClass() {
    return label(CLASS_LABEL);
  }

  /** Returns for how many seconds it may run, null where no label says so. */
  Integer timeLimit() {
    String seconds = label("kueue.x-k8s.io/max-exec-time-seconds");
    return seconds != null && seconds.matches("[0-9]{1,9}") ? Integer.valueOf(seconds) : null;
  }

  /** Returns what it says to checks that make ProvisioningRequests. */
  Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    var annotations = object.getMetadata().getAnnotations();
    if (annotations != null) {
      annotations.forEach((name, value) -> {
        if (name.startsWith("provreq.kueue.x-k8s.io/")) {
          parameters.put(name, value);
        }
      });
    }
    return parameters;
  }

  private String label(String name) {
    var labels = object.getMetadata().getLabels();
    return labels == null ? null : labels.get(name);
  }

  Map<String, Object> spec() {
    return Fields.map(object.getAdditionalProperties(), "spec");
  }

  private Map<String, Object> status() {
    return Fields.map(object.getAdditionalProperties(), "status");
  }

  boolean isSuspended() {
    return Boolean.TRUE.equals(spec().get("suspend"));
  }

  /** Tells whether pods are left. */
  boolean isActive() {
    return Fields.number(status(), "active") > 0;
  }

  String phase() {
    return (String) status().get("phase");
  }

  /** Tells whether it has ended for good. */
  boolean isOver() {
    return "Succeeded".equals(phase()) || "Failed".equals(phase());
  }

  /** Returns what runs: one driver, and workers. */
  List<PodSet> podSets() {
    var workers = Fields.map(spec(), "workers");
    return List.of(
        new PodSet("driver", 1, Fields.map(spec(), "driver", "template")),
        new PodSet("workers", Fields.number(workers, "count"), Fields.map(workers, "template")));
  }

  /** Returns it with other pods, suspended or not. */
  GenericKubernetesResource with(List<PodSet> podSets, boolean suspend) {
    Map<String, Object> spec = Fields.with(spec(), "suspend", suspend);
    for (PodSet podSet : podSets) {
      spec = Fields.with(spec, podSet.name(), Fields.with(Fields.map(spec, podSet.name()), "template", podSet.template()));
    }
    return copy(object, "spec", spec);
  }

  /** Returns a copy of an object with another spec or status. */
  static GenericKubernetesResource copy(GenericKubernetesResource object, String field, Map<String, Object> value) {
    GenericKubernetesResource copy = new GenericKubernetesResource();
    copy.setApiVersion(object.getApiVersion());
    copy.setKind(object.getKind());
    copy.setMetadata(object.getMetadata());
    copy.setAdditionalProperties(Fields.with(object.getAdditionalProperties(), field, value));
    return copy;
  }
}
