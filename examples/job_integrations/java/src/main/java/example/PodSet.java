package example;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A group of pods that are alike: Kueue assigns flavors to each pod set. */
record PodSet(String name, int count, Map<String, Object> template) {
  /** What flavors and checks add disagrees with the pods, now and at each further try. */
  static final class Contradiction extends Exception {
    private static final long serialVersionUID = 1;

    Contradiction(String message) {
      super(message);
    }
  }

  static PodSet of(Map<String, Object> fields) {
    return new PodSet((String) fields.get("name"), Fields.number(fields, "count"), Fields.map(fields, "template"));
  }

  /** Returns it as a Workload has it. */
  Map<String, Object> toMap() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("count", count);
    fields.put("template", template);
    return fields;
  }

  private Map<String, Object> metadata() {
    return Fields.map(template, "metadata");
  }

  private Map<String, Object> pod() {
    return Fields.map(template, "spec");
  }

  private PodSet withTemplate(Map<String, Object> metadata, Map<String, Object> pod) {
    return new PodSet(name, count, Fields.with(Fields.with(template, "metadata", metadata), "spec", pod));
  }

  /** Returns it with labels, annotations, node labels and tolerations of a flavor or a check. A value that is there is no contradiction. */
  PodSet plus(Map<String, Object> added) throws Contradiction {
    Map<String, Object> metadata = metadata();
    for (String section : List.of("labels", "annotations")) {
      metadata = Fields.with(metadata, section, union(section, Fields.map(metadata, section), Fields.map(added, section)));
    }
    Map<String, Object> nodeSelector = union("nodeSelector", Fields.map(pod(), "nodeSelector"), Fields.map(added, "nodeSelector"));
    List<Object> tolerations = new ArrayList<>(Fields.list(pod(), "tolerations"));
    Fields.list(added, "tolerations").stream().filter(toleration -> !tolerations.contains(toleration)).forEach(tolerations::add);
    return withTemplate(metadata, Fields.with(Fields.with(pod(), "nodeSelector", nodeSelector), "tolerations", tolerations));
  }

  private static Map<String, Object> union(String section, Map<String, Object> present, Map<String, Object> added) throws Contradiction {
    Map<String, Object> union = new LinkedHashMap<>(present);
    for (var entry : added.entrySet()) {
      Object other = union.put(entry.getKey(), entry.getValue());
      if (other != null && !other.equals(entry.getValue())) {
        throw new Contradiction(section + ": " + entry.getKey() + " is " + other + " and " + entry.getValue());
      }
    }
    return union;
  }

  /** Returns it as its user wrote it: what flavors and checks add to is taken from the Workload, which was made before; the rest is the user's. */
  PodSet restored(PodSet original) {
    Map<String, Object> metadata = metadata();
    for (String section : List.of("labels", "annotations")) {
      metadata = Fields.with(metadata, section, original.metadata().get(section));
    }
    Map<String, Object> pod = pod();
    for (String section : List.of("nodeSelector", "tolerations")) {
      pod = Fields.with(pod, section, original.pod().get(section));
    }
    return withTemplate(metadata, pod);
  }

  /** Tells whether a pod set of a Workload asks for what this one needs: as many pods, with the same requests. */
  boolean isAskedForBy(PodSet asked) {
    return name.equals(asked.name) && count == asked.count && requests().equals(asked.requests());
  }

  /** Tells whether both may run on the same nodes. */
  boolean isPlacedLike(PodSet other) {
    return metadata().equals(other.metadata())
        && List.of("nodeSelector", "tolerations", "affinity").stream().allMatch(field -> Objects.equals(pod().get(field), other.pod().get(field)));
  }

  private List<Map<String, Object>> requests() {
    List<Map<String, Object>> requests = new ArrayList<>();
    for (var container : Fields.list(pod(), "containers")) {
      Map<String, Object> amounts = new LinkedHashMap<>();
      // 0.5 and 500m are the same amount.
      Fields.map(container, "resources", "requests")
          .forEach((resource, amount) -> amounts.put(resource, new Quantity(String.valueOf(amount)).getNumericalAmount().stripTrailingZeros()));
      amounts.put("container", container.get("name"));
      requests.add(amounts);
    }
    return requests;
  }
}
