package honest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The objects of one kind, followed by an informer or by listing again and again. */
final class Kind {
  private static final long POLL_MILLISECONDS = 700;
  private static final long LONGEST_MILLISECONDS = 3_000;

  private final MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> api;
  private final boolean namespaced;
  private volatile Map<String, GenericKubernetesResource> listed;
  private SharedIndexInformer<GenericKubernetesResource> informer;

  Kind(KubernetesClient client, String group, String version, String kind, String plural, boolean namespaced) {
    this.namespaced = namespaced;
    api =
        client.genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup(group).withVersion(version).withKind(kind).withPlural(plural).withNamespaced(namespaced).build());
  }

  NonNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> in(String namespace) {
    return namespaced ? api.inNamespace(namespace) : api;
  }

  boolean isFollowed() {
    return listed != null || informer != null;
  }

  GenericKubernetesResource get(String key) {
    return listed != null ? listed.get(key) : informer.getStore().getByKey(key);
  }

  Collection<GenericKubernetesResource> all() {
    return listed != null ? listed.values() : informer.getStore().list();
  }

  /** Follows, and tells the key of whatever changes. */
  void inform(Consumer<String> changed) {
    ResourceEventHandler<GenericKubernetesResource> handler =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(GenericKubernetesResource added) {
            changed.accept(key(added));
          }

          @Override
          public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            changed.accept(key(after));
          }

          @Override
          public void onDelete(GenericKubernetesResource deleted, boolean finalStateUnknown) {
            changed.accept(key(deleted));
          }
        };
    informer = namespaced ? api.inAnyNamespace().runnableInformer(0) : api.runnableInformer(0);
    informer.addEventHandler(handler);
    informer.exceptionHandler((started, error) -> true);
    informer.start().toCompletableFuture().join();
  }

  /** Lists now, and again and again. */
  void poll(Consumer<String> changed) throws InterruptedException {
    while (!list(changed)) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLISECONDS);
    }
    Thread again =
        new Thread(
            () -> {
              try {
                long wait = POLL_MILLISECONDS;
                while (true) {
                  TimeUnit.MILLISECONDS.sleep(wait);
                  wait = list(changed) ? POLL_MILLISECONDS : Math.min(2 * wait, LONGEST_MILLISECONDS);
                }
              } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
              }
            });
    again.setDaemon(true);
    again.start();
  }

  private boolean list(Consumer<String> changed) {
    try {
      Map<String, GenericKubernetesResource> current = new HashMap<>();
      var items = namespaced ? api.inAnyNamespace().list() : api.list();
      items.getItems().forEach(object -> current.put(key(object), object));
      var keys = new HashSet<>(current.keySet());
      if (listed != null) {
        keys.addAll(listed.keySet());
      }
      var old = listed;
      listed = current;
      keys.stream().filter(key -> old == null || !version(old.get(key)).equals(version(current.get(key)))).forEach(changed);
      return true;
    } catch (RuntimeException problem) {
      System.out.println("list: " + problem.getMessage());
      return false;
    }
  }

  private static String version(GenericKubernetesResource object) {
    return object == null ? "" : object.getMetadata().getResourceVersion();
  }

  static String key(GenericKubernetesResource object) {
    String namespace = object.getMetadata().getNamespace();
    return namespace == null || namespace.isEmpty() ? object.getMetadata().getName() : namespace + "/" + object.getMetadata().getName();
  }
}
