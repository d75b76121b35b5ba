package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Brings a Training and its Workload in step: each call looks at the present state and makes at most one write, with the resourceVersion that it has seen.
 * What it wrote comes back by a watch.
 */
final class Reconciler {
  private final ApiServer api;

  Reconciler(ApiServer api) {
    this.api = api;
  }

  /** Does what is next for a Training, null where it is gone; `owned` are the Workloads that a Training of its name controls. */
  void reconcile(Training job, List<Workload> owned) {
    if (job == null || job.object().getMetadata().getDeletionTimestamp() != null) {
      owned.forEach(this::letGo);
      return;
    }
    if (job.queue() == null) {
      return;
    }
    Workload chosen = null;
    for (Workload workload : owned) {
      if (chosen == null && workload.belongsTo(job)) {
        chosen = workload;
      } else {
        remove(job, workload); // of an earlier Training of this name, or a second one
      }
    }
    if (chosen == null) {
      withoutWorkload(job);
    } else {
      withWorkload(job, chosen);
    }
  }

  /** Holds a Training back, and makes its Workload when no pod is left: their quota would be counted twice. */
  private void withoutWorkload(Training job) {
    if (job.isOver()) {
      return;
    }
    if (!job.isSuspended()) {
      // Without a Workload it is not known what an earlier admission has added to the pods.
      suspend(job, job.podSets(), "It has no Workload");
    } else if (!job.isActive()) {
      api.requireCurrent(job);
      Workload workload = Workload.of(job, priority(job));
      api.create(workload.object());
      api.tell(job, "CreatedWorkload", "Created Workload " + workload.name());
    }
  }

  /** The order of the cases is that of Kueue's own integrations. */
  private void withWorkload(Training job, Workload workload) {
    boolean suspended = job.isSuspended();
    boolean admitted = workload.is("Admitted");
    Map<String, Object> priority;
    if (workload.is("Finished")) {
      if (!suspended && !job.isOver()) {
        stop(job, workload, "Its Workload is Finished");
      } else {
        letGo(workload);
      }
    } else if (job.isOver()) {
      finish(job, workload, job.phase(), "The Training has " + job.phase());
    } else if (workload.isBeingDeleted()) {
      if (suspended) {
        letGo(workload);
      } else {
        stop(job, workload, "Its Workload is deleted");
      }
    } else if (!workload.describes(job)) {
      followPods(job, workload);
    } else if (workload.takesPriorityClass() && !has(workload, priority = priority(job))) {
      api.update(workload.withSpec(priority));
    } else if (workload.is("Evicted")) {
      obeyEviction(job, workload);
    } else if (suspended && admitted) {
      start(job, workload);
    } else if (!suspended && !admitted) {
      stop(job, workload, "Its Workload is not Admitted");
    } else if (suspended && !job.queue().equals(workload.spec().get("queueName"))) {
      api.update(workload.withSpec(Map.of("queueName", job.queue())));
    }
  }

  /** Stops a Training, and gives its quota back when no pod is left. */
  private void obeyEviction(Training job, Workload workload) {
    if (!job.isSuspended() || !workload.restored(job).equals(job.podSets())) {
      stop(job, workload, (String) workload.condition("Evicted").get("message"));
    } else if (!job.isActive() && workload.is("QuotaReserved")) {
      api.requireCurrent(job);
      api.updateStatus(workload.released().object());
    }
  }

  /** Changes a Workload that waits, and ends one that holds quota for something else. */
  private void followPods(Training job, Workload workload) {
    if (!job.isSuspended()) {
      stop(job, workload, "Its Workload does not describe it");
    } else if (!workload.is("QuotaReserved")) {
      api.update(workload.withSpec(Map.of("podSets", Workload.podSets(job))));
    } else if (!job.isActive()) {
      remove(job, workload);
    }
  }

  /** Lets a Training run with exactly what flavors and checks add to its pods. */
  private void start(Training job, Workload workload) {
    List<PodSet> podSets = new ArrayList<>();
    try {
      for (PodSet podSet : workload.restored(job)) {
        PodSet extended = podSet;
        for (var addition : additions(workload, podSet.name())) {
          extended = extended.plus(addition);
        }
        podSets.add(extended);
      }
    } catch (PodSet.Contradiction contradiction) {
      finish(job, workload, "FailedToStart", contradiction.getMessage());
      return;
    }
    api.update(job.with(podSets, false));
    api.tell(job, "Started", "Admitted by ClusterQueue " + Fields.map(workload.status(), "admission").get("clusterQueue"));
  }

  /** Suspends a Training, and gives it the pods back that its user wrote. */
  private void stop(Training job, Workload workload, String reason) {
    suspend(job, workload.restored(job), reason);
  }

  private void suspend(Training job, List<PodSet> podSets, String reason) {
    api.update(job.with(podSets, true));
    api.tell(job, "Stopped", reason);
  }

  /** Returns what the flavors of a pod set add to its pods, then what each check adds. */
  private List<Map<String, Object>> additions(Workload workload, String podSet) {
    List<Map<String, Object>> additions = new ArrayList<>();
    for (Object flavor : new LinkedHashSet<>(Fields.map(workload.assignment(podSet), "flavors").values())) {
      // A flavor that does not exist is waited for: the exception is tried again.
      var spec = Fields.map(api.get("ResourceFlavor", (String) flavor).getAdditionalProperties(), "spec");
      additions.add(Fields.with(Fields.with(Map.of(), "nodeSelector", spec.get("nodeLabels")), "tolerations", spec.get("tolerations")));
    }
    for (var check : Fields.list(workload.status(), "admissionChecks")) {
      Fields.list(check, "podSetUpdates").stream().filter(update -> podSet.equals(update.get("name"))).forEach(additions::add);
    }
    return additions;
  }

  /** Returns what the priority class of a Training brings; one that does not exist is waited for. */
  private Map<String, Object> priority(Training job) {
    Map<String, Object> priority = new LinkedHashMap<>();
    if (job.priorityClass() != null) {
      GenericKubernetesResource priorityClass = api.get("WorkloadPriorityClass", job.priorityClass());
      priority.put("priorityClassRef", Map.of("group", "kueue.x-k8s.io", "kind", "WorkloadPriorityClass", "name", job.priorityClass()));
      priority.put("priority", priorityClass.getAdditionalProperties().get("value"));
    }
    return priority;
  }

  private static boolean has(Workload workload, Map<String, Object> fields) {
    return fields.entrySet().stream().allMatch(field -> field.getValue().equals(workload.spec().get(field.getKey())));
  }

  private void finish(Training job, Workload workload, String reason, String message) {
    api.updateStatus(workload.with("Finished", "True", reason, message).object());
    api.tell(job, "FinishedWorkload", "Workload " + workload.name() + " is Finished: " + message);
  }

  /** Takes the finalizer off a Workload that holds nothing any more; tells whether it was there. */
  private boolean letGo(Workload workload) {
    if (!workload.object().getMetadata().getFinalizers().contains(Workload.FINALIZER)) {
      return false;
    }
    api.update(workload.withoutFinalizer());
    return true;
  }

  /** Deletes a Workload by which its Training must not run. */
  private void remove(Training job, Workload workload) {
    if (!letGo(workload) && !workload.isBeingDeleted()) {
      api.delete(workload.object());
      api.tell(job, "DeletedWorkload", "Deleted Workload " + workload.name());
    }
  }
}
