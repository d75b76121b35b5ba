package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** What programs do with fabric8, on the server of $KUBECONFIG and with the HTTP client that -Dhttpclient names. */
@Timeout(60)
class ClientTest {
  private static KubernetesClient client;
  private String namespace;

  @BeforeAll
  static void connect() throws ReflectiveOperationException {
    KubernetesClientBuilder builder = new KubernetesClientBuilder();
    String factory = System.getProperty("httpclient", "");
    if (!factory.isEmpty()) {
      Class<?> type = Class.forName("io.fabric8.kubernetes.client." + factory);
      builder.withHttpClientFactory((HttpClient.Factory) type.getDeclaredConstructor().newInstance());
    }
    client = builder.build();
  }

  @AfterAll
  static void close() {
    client.close();
  }

  @BeforeEach
  void createNamespace(TestInfo test) {
    namespace = test.getTestMethod().orElseThrow().getName().toLowerCase();
    client.resource(new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build()).create();
  }

  private ConfigMap configMap(String name, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .addToLabels("app", "example")
        .endMetadata()
        .addToData("key", value)
        .build();
  }

  @Test
  void objectsAreCreatedReadChangedAndDeleted() {
    ConfigMap created = client.resource(configMap("a", "1")).create();
    client.resource(configMap("b", "1")).create();
    client.configMaps().inNamespace(namespace).withName("a").edit(map -> new ConfigMapBuilder(map).addToData("key", "2").build());
    client.configMaps().inNamespace(namespace).withName("b").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"key\":\"3\"}}");

    List<ConfigMap> listed = client.configMaps().inNamespace(namespace).withLabel("app", "example").list().getItems();
    assertEquals(List.of("2", "3"), listed.stream().map(map -> map.getData().get("key")).toList());

    KubernetesClientException conflict = assertThrows(
        KubernetesClientException.class, () -> client.resource(created).lockResourceVersion(created.getMetadata().getResourceVersion()).update());
    assertEquals(409, conflict.getCode());

    client.configMaps().inNamespace(namespace).withLabel("app", "example").delete();
    assertTrue(client.configMaps().inNamespace(namespace).withLabel("app", "example").list().getItems().isEmpty());
  }

  @Test
  void aWatchTellsOfEachChange() throws InterruptedException {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    try (Watch watch = client.configMaps().inNamespace(namespace).withName("a").watch(new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap map) {
        events.add(action + " " + map.getData().get("key"));
      }

      @Override
      public void onClose(WatcherException cause) {
        events.add("closed " + cause);
      }
    })) {
      client.resource(configMap("a", "1")).create();
      client.resource(configMap("a", "2")).update();
      client.resource(configMap("a", "2")).delete();

      assertEquals("ADDED 1", events.poll(10, TimeUnit.SECONDS));
      assertEquals("MODIFIED 2", events.poll(10, TimeUnit.SECONDS));
      assertEquals("DELETED 2", events.poll(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void anInformerFollows() throws InterruptedException {
    client.resource(configMap("before", "1")).create();
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    ResourceEventHandler<ConfigMap> handler = new ResourceEventHandler<>() {
      @Override
      public void onAdd(ConfigMap map) {
        events.add("add " + map.getMetadata().getName());
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap after) {
        events.add("update " + after.getData().get("key"));
      }

      @Override
      public void onDelete(ConfigMap map, boolean unknown) {
        events.add("delete " + map.getMetadata().getName());
      }
    };
    try (SharedIndexInformer<ConfigMap> informer =
        client.configMaps().inNamespace(namespace).withLabel("app", "example").inform(handler)) {
      assertEquals("add before", events.poll(10, TimeUnit.SECONDS));
      client.resource(configMap("after", "1")).create();
      assertEquals("add after", events.poll(10, TimeUnit.SECONDS));
      client.resource(configMap("after", "2")).update();
      assertEquals("update 2", events.poll(10, TimeUnit.SECONDS));
      client.resource(configMap("before", "1")).delete();
      assertEquals("delete before", events.poll(10, TimeUnit.SECONDS));
      assertEquals(List.of(namespace + "/after"), informer.getStore().listKeys());
    }
  }

  @Test
  void fieldsAreAppliedByTheirManagers() {
    client.resource(configMap("a", "1")).fieldManager("first").serverSideApply();
    KubernetesClientException conflict = assertThrows(
        KubernetesClientException.class, () -> client.resource(configMap("a", "2")).fieldManager("second").serverSideApply());
    assertEquals(409, conflict.getCode());

    ConfigMap forced = client.resource(configMap("a", "2")).fieldManager("second").forceConflicts().serverSideApply();
    assertEquals("2", forced.getData().get("key"));
    assertEquals(2, forced.getMetadata().getManagedFields().size());
  }

  @Test
  void oneOfTwoLeadsAndTheOtherFollows() throws InterruptedException {
    BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
    CompletableFuture<?> first = elector("first", leaders).start();
    assertEquals("first leads", leaders.poll(10, TimeUnit.SECONDS));
    CompletableFuture<?> second = elector("second", leaders).start();

    first.cancel(true);
    assertEquals("first stops", leaders.poll(10, TimeUnit.SECONDS));
    assertEquals("second leads", leaders.poll(20, TimeUnit.SECONDS));
    second.cancel(true);
  }

  private LeaderElector elector(String identity, BlockingQueue<String> leaders) {
    LeaderCallbacks callbacks = new LeaderCallbacks(
        () -> leaders.add(identity + " leads"), () -> leaders.add(identity + " stops"), leader -> { });
    return client.leaderElector()
        .withConfig(new LeaderElectionConfigBuilder()
            .withName("example")
            .withLock(new LeaseLock(namespace, "example", identity))
            .withLeaseDuration(Duration.ofSeconds(6))
            .withRenewDeadline(Duration.ofSeconds(4))
            .withRetryPeriod(Duration.ofSeconds(1))
            .withReleaseOnCancel(true)
            .withLeaderCallbacks(callbacks)
            .build())
        .build();
  }

  @Test
  void aBudgetKeepsItsPodsFromEviction() {
    client.resource(deployment()).create();
    client.apps().deployments().inNamespace(namespace).withName("web").waitUntilReady(20, TimeUnit.SECONDS);
    client.resource(new PodDisruptionBudgetBuilder()
        .withNewMetadata().withName("web").withNamespace(namespace).endMetadata()
        .withNewSpec().withMaxUnavailable(new IntOrString(1)).withNewSelector().addToMatchLabels("app", "web").endSelector().endSpec()
        .build()).create();
    client.policy().v1().podDisruptionBudget().inNamespace(namespace).withName("web")
        .waitUntilCondition(budget -> budget.getStatus() != null && Integer.valueOf(1).equals(budget.getStatus().getDisruptionsAllowed()), 20, TimeUnit.SECONDS);

    List<Pod> pods = client.pods().inNamespace(namespace).withLabel("app", "web").list().getItems();
    assertTrue(client.pods().inNamespace(namespace).withName(pods.get(0).getMetadata().getName()).evict());
    client.policy().v1().podDisruptionBudget().inNamespace(namespace).withName("web")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"maxUnavailable\":0}}");
    client.policy().v1().podDisruptionBudget().inNamespace(namespace).withName("web")
        .waitUntilCondition(budget -> Integer.valueOf(0).equals(budget.getStatus().getDisruptionsAllowed()), 20, TimeUnit.SECONDS);
    assertFalse(client.pods().inNamespace(namespace).withName(pods.get(1).getMetadata().getName()).evict());
  }

  private Deployment deployment() {
    return new DeploymentBuilder()
        .withNewMetadata().withName("web").withNamespace(namespace).endMetadata()
        .withNewSpec()
        .withReplicas(2)
        .withNewSelector().addToMatchLabels("app", "web").endSelector()
        .withNewTemplate()
        .withNewMetadata().addToLabels("app", "web").endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage("web:1").endContainer().endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void customResourcesNeedNoClass() {
    String definition = """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com"},
         "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
          "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
           {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}""";
    client.resource(definition).serverSideApply();
    client.apiextensions().v1().customResourceDefinitions().withName("widgets.example.com").waitUntilCondition(
        crd -> crd.getStatus() != null && crd.getStatus().getConditions().stream()
            .anyMatch(condition -> condition.getType().equals("Established") && condition.getStatus().equals("True")), 20, TimeUnit.SECONDS);

    GenericKubernetesResource widget = new GenericKubernetesResource();
    widget.setApiVersion("example.com/v1");
    widget.setKind("Widget");
    widget.setMetadata(configMap("w", "").getMetadata());
    widget.setAdditionalProperty("spec", Map.of("size", 3));
    client.resource(widget).create();

    GenericKubernetesResource read = client.genericKubernetesResources("example.com/v1", "Widget").inNamespace(namespace).withName("w").get();
    assertEquals(Map.of("size", 3), read.getAdditionalProperties().get("spec"));
  }

  @Test
  void aPodRuns() {
    client.resource(new PodBuilder()
        .withNewMetadata().withName("p").withNamespace(namespace).endMetadata()
        .withNewSpec().addNewContainer().withName("c").withImage("i:1").endContainer().endSpec()
        .build()).create();

    Pod ready = client.pods().inNamespace(namespace).withName("p").waitUntilReady(20, TimeUnit.SECONDS);
    assertEquals("Running", ready.getStatus().getPhase());
  }
}
