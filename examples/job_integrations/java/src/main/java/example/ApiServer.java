package example;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** Reads and writes. A PUT carries the resourceVersion that was read: the server refuses a decision about an older state. */
final class ApiServer {
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;

  private static final Map<String, String> PLURALS =
      Map.of(
          Training.KIND, "trainings",
          "Workload", "workloads",
          "ResourceFlavor", "resourceflavors",
          "WorkloadPriorityClass", "workloadpriorityclasses");

  private final KubernetesClient client;

  ApiServer(KubernetesClient client) {
    this.client = client;
  }

  /** Returns the operations on one of the kinds. */
  MixedOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> objects(String kind) {
    boolean ours = Training.KIND.equals(kind);
    String[] apiVersion = (ours ? Training.API_VERSION : Workload.API_VERSION).split("/");
    return client.genericKubernetesResources(
        new ResourceDefinitionContext.Builder()
            .withGroup(apiVersion[0])
            .withVersion(apiVersion[1])
            .withKind(kind)
            .withPlural(PLURALS.get(kind))
            .withNamespaced(ours || "Workload".equals(kind))
            .build());
  }

  private Resource<GenericKubernetesResource> place(GenericKubernetesResource object) {
    return objects(object.getKind()).inNamespace(object.getMetadata().getNamespace()).resource(object);
  }

  /** Returns an object without a namespace; throws where it does not exist. */
  GenericKubernetesResource get(String kind, String name) {
    GenericKubernetesResource object = objects(kind).withName(name).get();
    if (object == null) {
      throw new KubernetesClientException("there is no " + kind + " " + name, NOT_FOUND, null);
    }
    return object;
  }

  void create(GenericKubernetesResource object) {
    place(object).create();
  }

  void update(GenericKubernetesResource object) {
    place(object).update();
  }

  void updateStatus(GenericKubernetesResource object) {
    place(object).updateStatus();
  }

  void delete(GenericKubernetesResource object) {
    place(object).delete();
  }

  /**
   * Throws a conflict where a Training has changed since it was read: Trainings and Workloads come by two watches, and others use the quota as soon as a Workload
   * gives it back.
   */
  void requireCurrent(Training job) {
    GenericKubernetesResource current = place(job.object()).get();
    if (current == null || !current.getMetadata().getResourceVersion().equals(job.object().getMetadata().getResourceVersion())) {
      throw new KubernetesClientException("the Training has changed", CONFLICT, null);
    }
  }

  /** Tells an Event about a Training; one that the server refuses is lost, and nothing else. */
  void tell(Training job, String reason, String message) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var event =
        new EventBuilder()
            .withNewMetadata()
            .withGenerateName(job.name() + ".")
            .withNamespace(job.namespace())
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(Training.API_VERSION)
            .withKind(Training.KIND)
            .withName(job.name())
            .withNamespace(job.namespace())
            .withUid(job.uid())
            .endInvolvedObject()
            .withType("Normal")
            .withReason(reason)
            .withMessage(message)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withCount(1)
            .withNewSource()
            .withComponent("training-integration")
            .endSource()
            .build();
    try {
      client.v1().events().inNamespace(job.namespace()).resource(event).create();
    } catch (KubernetesClientException refused) {
      System.out.println(job.name() + ": Event " + reason + " is lost: " + refused.getMessage());
    }
  }
}
