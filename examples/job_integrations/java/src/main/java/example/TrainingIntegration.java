package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A job integration on fabric8: it makes a Workload for each Training and obeys its admission.
 *
 * <p>Two informers follow Trainings and Workloads; one thread looks at each Training that has changed, or whose Workload has.
 */
public final class TrainingIntegration {
  private static final int WATCH_RECONNECT_MILLISECONDS = 100;
  private static final long FIRST_PAUSE_MILLISECONDS = 50;
  private static final long LONGEST_PAUSE_MILLISECONDS = 2_000;

  private final ApiServer api;
  private final Reconciler reconciler;
  private final DelayQueue<Turn> turns = new DelayQueue<>();
  private final Map<String, Long> pauses = new HashMap<>();

  TrainingIntegration(ApiServer api) {
    this.api = api;
    this.reconciler = new Reconciler(api);
  }

  /** A Training, by namespace and name, that is looked at when its time has come. */
  private record Turn(String key, long nanoTime) implements Delayed {
    static Turn in(long milliseconds, String key) {
      return new Turn(key, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    // SIGTERM ends the virtual machine with 143; a controller that was asked to end has done nothing wrong.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
    var config =
        new ConfigBuilder()
            .withUserAgent("training-integration/0.1.0")
            // The loop tries again by itself, from the newest state: a client that repeats a write would repeat an old decision.
            .withRequestRetryBackoffLimit(0)
            .withWatchReconnectInterval(WATCH_RECONNECT_MILLISECONDS)
            .build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      new TrainingIntegration(new ApiServer(client)).run();
    }
  }

  private void run() throws InterruptedException {
    // Both lists are complete before the first decision: without the Workloads each Training would seem to have none.
    var trainings = follow(Training.KIND, object -> object.getMetadata().getNamespace() + "/" + object.getMetadata().getName());
    var workloads = follow("Workload", object -> new Workload(object).jobKey());
    while (true) {
      Turn turn = turns.take();
      turns.removeIf(other -> other.key().equals(turn.key()) && other.getDelay(TimeUnit.NANOSECONDS) <= 0);
      attempt(turn.key(), trainings, workloads);
    }
  }

  /** Follows a kind; a change gives the Training that it concerns a turn. */
  private SharedIndexInformer<GenericKubernetesResource> follow(String kind, Function<GenericKubernetesResource, String> jobKey) {
    ResourceEventHandler<GenericKubernetesResource> handler =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(GenericKubernetesResource added) {
            enqueue(added);
          }

          @Override
          public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            enqueue(after);
          }

          @Override
          public void onDelete(GenericKubernetesResource deleted, boolean finalStateUnknown) {
            enqueue(deleted);
          }

          private void enqueue(GenericKubernetesResource object) {
            String key = jobKey.apply(object);
            if (key != null) {
              turns.add(Turn.in(0, key));
            }
          }
        };
    return api.objects(kind).inAnyNamespace().inform(handler);
  }

  /** Reconciles one Training; what fails is tried again later and later, and holds up no other one. */
  private void attempt(
      String key, SharedIndexInformer<GenericKubernetesResource> trainings, SharedIndexInformer<GenericKubernetesResource> workloads) {
    GenericKubernetesResource object = trainings.getStore().getByKey(key);
    List<Workload> owned =
        workloads.getStore().list().stream().map(Workload::new).filter(workload -> key.equals(workload.jobKey())).toList();
    try {
      reconciler.reconcile(object == null ? null : new Training(object), owned);
      pauses.remove(key);
    } catch (KubernetesClientException error) {
      if (error.getCode() != ApiServer.NOT_FOUND && error.getCode() != ApiServer.CONFLICT) {
        System.out.println(key + ": " + error.getMessage());
      }
      long pause = pauses.getOrDefault(key, FIRST_PAUSE_MILLISECONDS);
      pauses.put(key, Math.min(LONGEST_PAUSE_MILLISECONDS, 2 * pause));
      turns.removeIf(other -> other.key().equals(key) && other.getDelay(TimeUnit.NANOSECONDS) > 0);
      turns.add(Turn.in(pause, key));
    }
  }
}
