package honest;

import static honest.Main.makes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Answers the checks of one controllerName. */
final class Controller {
  private static final long POLL_MILLISECONDS = 300;
  private static final long SOON_MILLISECONDS = 20;
  private static final long LATEST_MILLISECONDS = 3_000;
  private static final long SWEEP_SECONDS = 2;
  private static final String CHECK = "check:";
  private static final String PARAMETERS_GROUP = "example.com";
  private static final String PARAMETERS_KIND = "Budget";

  private final String name;
  private final Main.Design design;
  private final Outside outside = new Outside();
  private final Kind checks;
  private final Kind budgets;
  private final Kind workloads;
  private final Kind switches;
  private final Turns turns;
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  // What mistakes remember.
  private final Map<String, String> written = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> firstSeen = new ConcurrentHashMap<>();
  private final Map<String, JsonNode> readies = new ConcurrentHashMap<>();
  private final Map<String, String> keyByName = new ConcurrentHashMap<>();

  Controller(KubernetesClient client, String name, Main.Design design) {
    this.name = name;
    this.design = design;
    checks = new Kind(client, "kueue.x-k8s.io", "v1beta2", "AdmissionCheck", "admissionchecks", false);
    workloads = new Kind(client, "kueue.x-k8s.io", "v1beta2", "Workload", "workloads", true);
    budgets = new Kind(client, PARAMETERS_GROUP, "v1", PARAMETERS_KIND, "budgets", false);
    switches = new Kind(client, "", "v1", "ConfigMap", "configmaps", true);
    turns = new Turns(key -> design.laneForNamespace() && !key.startsWith(CHECK) ? key.substring(0, key.indexOf('/')) : key);
  }

  void run() throws Exception {
    follow(budgets, key -> eachCheck());
    follow(
        checks,
        key -> {
          turns.add(CHECK + key, 0);
          eachWorkload();
        });
    if (design.switched()) {
      follow(switches, key -> eachWorkload());
    }
    follow(
        workloads,
        key -> {
          keyByName.put(key.substring(key.indexOf('/') + 1), key);
          turns.add(key, 0);
        });
    for (int i = 0; i < design.workers(); i++) {
      Thread worker = new Thread(this::work);
      worker.setDaemon(true);
      worker.start();
    }
    while (true) {
      // Whatever is held for a Workload is looked at: its end may have come while this program was away.
      try {
        outside.held("").forEach(item -> turns.add(item.namespace() + "/" + item.workload(), 0));
      } catch (java.io.IOException problem) {
        System.out.println("sweep: " + problem);
      }
      TimeUnit.SECONDS.sleep(SWEEP_SECONDS);
    }
  }

  private void follow(Kind kind, java.util.function.Consumer<String> changed) throws InterruptedException {
    if (design.polls()) {
      kind.poll(changed);
    } else {
      kind.inform(changed);
    }
  }

  private void eachCheck() {
    if (ready(checks)) {
      checks.all().forEach(item -> turns.add(CHECK + Kind.key(item), 0));
    }
  }

  private void eachWorkload() {
    if (ready(workloads)) {
      workloads.all().forEach(item -> turns.add(Kind.key(item), 0));
    }
  }

  private static boolean ready(Kind kind) {
    return kind.isFollowed();
  }

  private void work() {
    try {
      while (true) {
        String key = turns.take();
        long again;
        boolean failed = true;
        try {
          again = key.startsWith(CHECK) ? activate(key.substring(CHECK.length())) : judge(key);
          failed = false;
        } catch (KubernetesClientException refused) {
          // Somebody was faster, or it is gone: the newest state comes by itself.
          again = pause(key);
          System.out.println(key + ": " + refused.getMessage());
        } catch (java.io.IOException | RuntimeException problem) {
          again = pause(key);
          System.out.println(key + ": " + problem);
        }
        if (!failed) {
          failures.remove(key);
        }
        if (again > 0) {
          turns.add(key, again);
        }
        turns.done(key);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  /** What fails is tried again later and later. */
  private long pause(String key) {
    return Math.min(LATEST_MILLISECONDS, SOON_MILLISECONDS << Math.min(10, failures.merge(key, 1, Integer::sum)));
  }

  // AdmissionChecks

  private boolean isOurs(GenericKubernetesResource check) {
    String controllerName = check.get("spec", "controllerName");
    boolean named = makes("controller-prefix") ? controllerName.startsWith(name) : controllerName.equals(name);
    return named && check.getMetadata().getDeletionTimestamp() == null;
  }

  /** Tells in the condition Active whether a check can be used. */
  private long activate(String key) {
    GenericKubernetesResource check = checks.get(key);
    if (check == null || !isOurs(check)) {
      return 0;
    }
    String problem = problem(check);
    if (problem != null && makes("never-inactive")) {
      System.out.println(key + ": " + problem);
      return 0;
    }
    Map<String, Object> old = Entries.condition(check, "Active");
    Map<String, Object> active = new LinkedHashMap<>();
    active.put("type", "Active");
    active.put("status", problem == null ? "True" : "False");
    active.put("reason", problem == null ? "Ready" : "BadParameters");
    active.put("message", problem == null ? "The check can be used" : problem);
    active.put("observedGeneration", check.getMetadata().getGeneration());
    active.put("lastTransitionTime", Objects.equals(old.get("status"), active.get("status")) ? old.get("lastTransitionTime") : Entries.now());
    if (same(old, active)) {
      return 0;
    }
    List<Map<String, Object>> conditions = new ArrayList<>();
    List<Map<String, Object>> present = check.get("status", "conditions");
    if (present != null) {
      present.stream().filter(item -> !"Active".equals(item.get("type"))).forEach(conditions::add);
    }
    conditions.add(active);
    checks.in(null).resource(withStatus(check, "conditions", conditions)).updateStatus();
    return 0;
  }

  private static boolean same(Map<String, Object> item, Map<String, Object> other) {
    return Entries.JSON.valueToTree(item).equals(Entries.JSON.valueToTree(other));
  }

  private String problem(GenericKubernetesResource check) {
    Map<String, Object> reference = check.get("spec", "parameters");
    if (reference == null) {
      return null;
    }
    if (!PARAMETERS_GROUP.equals(reference.get("apiGroup")) || !PARAMETERS_KIND.equals(reference.get("kind"))) {
      return "Parameters are a " + PARAMETERS_KIND + " of " + PARAMETERS_GROUP + ", not " + reference.get("kind") + " of " + reference.get("apiGroup");
    }
    GenericKubernetesResource budget = budgets.get((String) reference.get("name"));
    if (makes("first-parameters")) {
      budget = budgets.all().stream().min(Comparator.comparing(item -> item.getMetadata().getName())).orElse(null);
    }
    if (budget == null || budget.getMetadata().getDeletionTimestamp() != null) {
      return "There is no Budget " + reference.get("name");
    }
    Number limit = budget.get("spec", "limit");
    return limit == null || limit.longValue() < 0 ? "Budget " + reference.get("name") + " has no limit of 0 or more" : null;
  }

  // Workloads

  /** Brings a Workload up to date; returns the milliseconds until it is looked at again, 0 for never. */
  private long judge(String asked) throws java.io.IOException, InterruptedException {
    String key = makes("name-without-namespace") ? keyByName.getOrDefault(asked.substring(asked.indexOf('/') + 1), asked) : asked;
    String namespace = key.substring(0, key.indexOf('/'));
    String workloadName = key.substring(key.indexOf('/') + 1);
    GenericKubernetesResource workload = workloads.get(key);
    if (workload == null && makes("leaks-on-deletion")) {
      return 0;
    }
    List<Integer> ours = workload == null ? List.of() : ours(workload);
    boolean needed = !ours.isEmpty() && Entries.needsUs(workload);
    if (needed) {
      outside.claim(namespace, workloadName);
    } else {
      outside.release(namespace, workloadName);
      written.keySet().removeIf(item -> item.startsWith(key + "/"));
      boolean finished = makes("acts-on-finished") && !ours.isEmpty() && Entries.isTrue(workload, "Finished") && !Entries.isTrue(workload, "Evicted");
      if (!finished) {
        return 0;
      }
    }
    return decide(workload, ours) ? POLL_MILLISECONDS : 0;
  }

  /** Returns the places of our entries. */
  private List<Integer> ours(GenericKubernetesResource workload) {
    List<Map<String, Object>> entries = Entries.of(workload);
    List<Integer> ours = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      GenericKubernetesResource check = checks.get((String) entries.get(i).get("name"));
      if (check != null && isOurs(check)) {
        ours.add(i);
      }
    }
    if (makes("later-checks-forgotten") && !ours.isEmpty()) {
      Set<String> known =
          firstSeen.computeIfAbsent(
              workload.getMetadata().getUid(), uid -> ours.stream().map(i -> (String) entries.get(i).get("name")).collect(Collectors.toSet()));
      ours.removeIf(i -> !known.contains(entries.get(i).get("name")));
    }
    return ours;
  }

  /** Asks about our open entries and writes what changed; tells whether any is open. */
  private boolean decide(GenericKubernetesResource workload, List<Integer> ours) throws java.io.IOException, InterruptedException {
    String namespace = workload.getMetadata().getNamespace();
    String workloadName = workload.getMetadata().getName();
    List<Map<String, Object>> entries = new ArrayList<>(Entries.of(workload));
    List<Integer> changed = new ArrayList<>();
    boolean open = false;
    for (int i : ours) {
      Map<String, Object> old = entries.get(i);
      String check = (String) old.get("name");
      if ("Retry".equals(old.get("state")) || "Rejected".equals(old.get("state"))) {
        continue; // Kueue moves it on
      }
      open = true;
      GenericKubernetesResource definition = checks.get(check);
      if (definition == null || !Entries.isTrue(definition, "Active")) {
        String problem = definition == null ? null : (String) Entries.condition(definition, "Active").get("message");
        if ("Pending".equals(old.get("state")) && problem != null && !problem.equals(old.get("message"))) {
          Map<String, Object> waiting = new LinkedHashMap<>(old);
          waiting.put("message", problem);
          entries.set(i, waiting);
          changed.add(i);
        }
        continue;
      }
      String remembered = workload.getMetadata().getUid() + "/" + check;
      JsonNode verdict = makes("replays-after-eviction") && "Pending".equals(old.get("state")) ? readies.get(remembered) : null;
      if (verdict == null) {
        verdict = design.switched() ? bySwitch() : outside.decide(namespace, workloadName, check);
      }
      if ("Ready".equals(verdict.path("state").asText())) {
        readies.put(remembered, verdict);
      } else {
        readies.remove(remembered);
      }
      Map<String, Object> entry = Entries.answered(workload, old, verdict);
      if (!same(entry, old)) {
        String mark = Kind.key(workload) + "/" + check;
        if (makes("lost-on-conflict") && entry.get("state").equals(written.put(mark, (String) entry.get("state")))) {
          continue;
        }
        entries.set(i, entry);
        changed.add(i);
      }
    }
    if (!changed.isEmpty()) {
      if (makes("time-anew")) {
        ours.stream().filter(i -> !"Pending".equals(entries.get(i).get("state"))).forEach(i -> entries.set(i, stamped(entries.get(i))));
        write(workload, entries, ours, ours);
      } else {
        write(workload, entries, changed, ours);
      }
    }
    return open;
  }

  private static Map<String, Object> stamped(Map<String, Object> entry) {
    Map<String, Object> stamped = new LinkedHashMap<>(entry);
    stamped.put("lastTransitionTime", Entries.now());
    return stamped;
  }

  /** The ConfigMap that opens or closes the gate for all. */
  private JsonNode bySwitch() {
    GenericKubernetesResource gate = switches.get("honest-system/gate");
    boolean open = gate != null && "true".equals(gate.get("data", "open"));
    return Entries.JSON.createObjectNode().put("state", open ? "Ready" : "Pending");
  }

  /** Sends what changed, each way with the version that was judged. */
  private void write(GenericKubernetesResource workload, List<Map<String, Object>> entries, List<Integer> changed, List<Integer> ours)
      throws java.io.IOException {
    var resource = workloads.in(workload.getMetadata().getNamespace()).withName(workload.getMetadata().getName()).subresource("status");
    String version = workload.getMetadata().getResourceVersion();
    if (makes("drops-fields-of-others")) {
      List<Map<String, Object>> known = new ArrayList<>();
      for (int i = 0; i < entries.size(); i++) {
        Map<String, Object> entry = new LinkedHashMap<>(entries.get(i));
        if (!ours.contains(i)) {
          entry.keySet().retainAll(Set.of("name", "state", "message", "lastTransitionTime"));
        }
        known.add(entry);
      }
      resource.patch(PatchContext.of(PatchType.JSON_MERGE), Entries.JSON.writeValueAsString(merged(version, known)));
      return;
    }
    switch (design.write()) {
      case JSON_PATCH -> {
        List<Map<String, Object>> steps = new ArrayList<>();
        if (!makes("index-without-test")) {
          steps.add(Map.of("op", "test", "path", "/metadata/resourceVersion", "value", version));
        }
        changed.forEach(i -> steps.add(Map.of("op", "replace", "path", "/status/admissionChecks/" + i, "value", entries.get(i))));
        resource.patch(PatchContext.of(PatchType.JSON), Entries.JSON.writeValueAsString(steps));
      }
      case MERGE -> resource.patch(PatchContext.of(PatchType.JSON_MERGE), Entries.JSON.writeValueAsString(merged(version, entries)));
      case APPLY -> {
        List<Map<String, Object>> applied = new ArrayList<>();
        for (int i : ours) {
          Map<String, Object> entry = new LinkedHashMap<>(entries.get(i));
          entry.remove("retryCount"); // Kueue's
          entry.putIfAbsent("podSetUpdates", List.of());
          applied.add(entry);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", workload.getApiVersion());
        object.put("kind", workload.getKind());
        object.put("metadata", Map.of("name", workload.getMetadata().getName(), "namespace", workload.getMetadata().getNamespace(), "resourceVersion", version));
        object.put("status", Map.of("admissionChecks", applied));
        var how = new PatchContext.Builder().withPatchType(PatchType.SERVER_SIDE_APPLY).withFieldManager("honest").withForce(true).build();
        resource.patch(how, Entries.JSON.writeValueAsString(object));
      }
      case PUT ->
          workloads.in(workload.getMetadata().getNamespace()).resource(withStatus(workload, "admissionChecks", entries)).updateStatus();
    }
  }

  private static Map<String, Object> merged(String version, List<Map<String, Object>> entries) {
    return Map.of("metadata", Map.of("resourceVersion", version), "status", Map.of("admissionChecks", entries));
  }

  private static GenericKubernetesResource withStatus(GenericKubernetesResource object, String field, Object value) {
    GenericKubernetesResource copy = Entries.JSON.convertValue(Entries.JSON.valueToTree(object), GenericKubernetesResource.class);
    Map<String, Object> status = copy.get("status");
    status = status == null ? new LinkedHashMap<>() : new LinkedHashMap<>(status);
    status.put(field, value);
    copy.setAdditionalProperty("status", status);
    return copy;
  }
}
