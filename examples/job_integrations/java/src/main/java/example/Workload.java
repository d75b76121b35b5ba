package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What Kueue knows of a Training. */
record Workload(GenericKubernetesResource object) {
  static final String API_VERSION = "kueue.x-k8s.io/v1beta2";
  static final String FINALIZER = "kueue.x-k8s.io/resource-in-use";
  private static final String UID_LABEL = "kueue.x-k8s.io/job-uid";
  private static final Set<String> REQUEUED_AT_ONCE = Set.of("Preempted", "NodeFailures");
  private static final int LONGEST_NAME = 253;
  private static final int DIGEST_LENGTH = 5;

  /** Returns the Workload of a Training, with a name that is the same at each try, and another one for a later Training of its name. */
  static Workload of(Training job, Map<String, Object> priority) {
    String name = "training-" + job.name();
    name = name.substring(0, Math.min(name.length(), LONGEST_NAME - DIGEST_LENGTH - 1));
    GenericKubernetesResource workload = new GenericKubernetesResource();
    workload.setApiVersion(API_VERSION);
    workload.setKind("Workload");
    workload.setMetadata(
        new ObjectMetaBuilder()
            .withName(name + "-" + digest(job))
            .withNamespace(job.namespace())
            .addToLabels(UID_LABEL, job.uid())
            .withAnnotations(job.parameters())
            .addToFinalizers(FINALIZER)
            .addNewOwnerReference()
            .withApiVersion(Training.API_VERSION)
            .withKind(Training.KIND)
            .withName(job.name())
            .withUid(job.uid())
            .withController(true)
            .withBlockOwnerDeletion(true)
            .endOwnerReference()
            .build());
    Map<String, Object> spec = new LinkedHashMap<>(priority);
    spec.put("queueName", job.queue());
    spec.put("podSets", podSets(job));
    workload.setAdditionalProperty("spec", Fields.with(spec, "maximumExecutionTimeSeconds", job.timeLimit()));
    return new Workload(workload);
  }

  static List<Map<String, Object>> podSets(Training job) {
    return job.podSets().stream().map(PodSet::toMap).toList();
  }

  private static String digest(Training job) {
    String identity = String.join("\n", Training.KIND, Training.API_VERSION, job.name(), job.uid());
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, DIGEST_LENGTH);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /** Returns the owner that controls an object, null where none does. */
  static OwnerReference controllerOf(GenericKubernetesResource object) {
    return object.getMetadata().getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst()
        .orElse(null);
  }

  String name() {
    return object.getMetadata().getName();
  }

  /** Returns namespace and name of the Training that controls it, null where none does. */
  String jobKey() {
    OwnerReference owner = controllerOf(object);
    boolean ours = owner != null && Training.KIND.equals(owner.getKind()) && Training.API_VERSION.equals(owner.getApiVersion());
    return ours ? object.getMetadata().getNamespace() + "/" + owner.getName() : null;
  }

  boolean belongsTo(Training job) {
    return job.uid().equals(controllerOf(object).getUid());
  }

  boolean isBeingDeleted() {
    return object.getMetadata().getDeletionTimestamp() != null;
  }

  Map<String, Object> spec() {
    return Fields.map(object.getAdditionalProperties(), "spec");
  }

  Map<String, Object> status() {
    return Fields.map(object.getAdditionalProperties(), "status");
  }

  List<PodSet> podSets() {
    return Fields.list(spec(), "podSets").stream().map(PodSet::of).toList();
  }

  /** Returns the assignment of flavors to a pod set, an empty one where there is none. */
  Map<String, Object> assignment(String podSet) {
    return Fields.list(Fields.map(status(), "admission"), "podSetAssignments").stream()
        .filter(assignment -> podSet.equals(assignment.get("name")))
        .findFirst()
        .orElse(Map.of());
  }

  Map<String, Object> condition(String type) {
    return Fields.list(status(), "conditions").stream().filter(condition -> type.equals(condition.get("type"))).findFirst().orElse(Map.of());
  }

  boolean is(String type) {
    return "True".equals(condition(type).get("status"));
  }

  /** Tells whether Kueue takes another priority class: one that holds quota without a class gets none. */
  boolean takesPriorityClass() {
    return spec().containsKey("priorityClassRef") || !is("QuotaReserved");
  }

  /** Returns the pod sets of its Training as the user wrote them. */
  List<PodSet> restored(Training job) {
    List<PodSet> originals = podSets();
    List<PodSet> restored = new ArrayList<>();
    for (PodSet podSet : job.podSets()) {
      PodSet original = originals.stream().filter(other -> other.name().equals(podSet.name())).findFirst().orElse(podSet);
      restored.add(podSet.restored(original));
    }
    return restored;
  }

  /** Tells whether it asks for what its Training needs. While it waits the placement of the pods is compared as well: its user may have changed it. */
  boolean describes(Training job) {
    List<PodSet> needed = job.podSets();
    List<PodSet> asked = podSets();
    boolean compares = job.isSuspended() && !is("QuotaReserved");
    boolean same = needed.size() == asked.size();
    for (int i = 0; same && i < needed.size(); i++) {
      same = needed.get(i).isAskedForBy(asked.get(i)) && (!compares || needed.get(i).isPlacedLike(asked.get(i)));
    }
    return same;
  }

  /** Returns it with other values of some fields of its spec. */
  GenericKubernetesResource withSpec(Map<String, Object> fields) {
    Map<String, Object> spec = new LinkedHashMap<>(spec());
    spec.putAll(fields);
    return Training.copy(object, "spec", spec);
  }

  GenericKubernetesResource withoutFinalizer() {
    GenericKubernetesResource copy = Training.copy(object, "spec", spec());
    List<String> finalizers = new ArrayList<>(object.getMetadata().getFinalizers());
    finalizers.remove(FINALIZER);
    copy.setMetadata(new ObjectMetaBuilder(object.getMetadata()).withFinalizers(finalizers).build());
    return copy;
  }

  /** Returns it with a condition, whose time moves with its status alone. */
  Workload with(String type, String status, String reason, Object message) {
    Map<String, Object> old = condition(type);
    Map<String, Object> condition = new LinkedHashMap<>();
    condition.put("type", type);
    condition.put("status", status);
    condition.put("reason", reason);
    condition.put("message", message);
    boolean stays = status.equals(old.get("status"));
    condition.put("lastTransitionTime", stays ? old.get("lastTransitionTime") : Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    condition.put("observedGeneration", object.getMetadata().getGeneration());
    List<Map<String, Object>> conditions = new ArrayList<>(Fields.list(status(), "conditions"));
    conditions.removeIf(other -> type.equals(other.get("type")));
    conditions.add(condition);
    return new Workload(Training.copy(object, "status", Fields.with(status(), "conditions", conditions)));
  }

  /** Returns an evicted one without its reservation. After a preemption or a failed node Kueue requeues it at once. */
  Workload released() {
    Map<String, Object> evicted = condition("Evicted");
    String reason = (String) evicted.get("reason");
    Object message = evicted.get("message");
    Workload released = with("QuotaReserved", "False", "Pending", message);
    released = released.with("Requeued", REQUEUED_AT_ONCE.contains(reason) ? "True" : "False", reason, message);
    if (is("Admitted")) {
      released = released.with("Admitted", "False", "NoReservation", "The workload has no reservation");
    }
    return new Workload(Training.copy(object, "status", Fields.with(released.status(), "admission", null)));
  }
}
