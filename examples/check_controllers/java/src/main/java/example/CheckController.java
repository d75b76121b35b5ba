package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A small AdmissionCheck controller on fabric8: it asks an HTTP endpoint for each verdict and writes it down as Kueue expects.
 *
 * <p>Two informers follow AdmissionChecks and Workloads. Whatever changes wakes the loop, and open verdicts are asked for again.
 */
public final class CheckController {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final long POLL_MILLISECONDS = 100;
  private static final long LONGEST_WAIT_MILLISECONDS = 3_000;
  private static final int WATCH_RECONNECT_MILLISECONDS = 100;
  private static final int THREADS = 8;

  private final KubernetesClient client;
  private final String name;
  private final Endpoint endpoint;
  private final Semaphore changes = new Semaphore(0);
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);

  CheckController(KubernetesClient client, String name, Endpoint endpoint) {
    this.client = client;
    this.name = name;
    this.endpoint = endpoint;
  }

  public static void main(String[] arguments) throws InterruptedException {
    String name = System.getenv().getOrDefault("KUEUE_CONFORMANCE_CONTROLLER_NAME", "example.com/budget");
    String url = System.getenv("KUEUE_CONFORMANCE_VERDICT_URL");
    if (url == null) {
      System.err.println("KUEUE_CONFORMANCE_VERDICT_URL is missing: where are verdicts asked for?");
      System.exit(1);
    }
    // SIGTERM ends the virtual machine with 143; a controller that was asked to end has done nothing wrong.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
    var config =
        new ConfigBuilder()
            .withUserAgent("check-controller/0.1.0")
            // The loop tries again by itself, from the newest state: a client that repeats a write would repeat an old decision.
            .withRequestRetryBackoffLimit(0)
            .withWatchReconnectInterval(WATCH_RECONNECT_MILLISECONDS)
            .build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      new CheckController(client, name, new Endpoint(url)).run();
    }
  }

  private void run() throws InterruptedException {
    var checks = follow("AdmissionCheck", "admissionchecks", false);
    var workloads = follow("Workload", "workloads", true);
    long wait = POLL_MILLISECONDS;
    while (true) {
      List<GenericKubernetesResource> ours =
          checks.getStore().list().stream().filter(check -> AdmissionChecks.isOf(check, name)).toList();
      Set<String> names = ours.stream().map(check -> check.getMetadata().getName()).collect(Collectors.toSet());
      List<Callable<Boolean>> steps = new ArrayList<>();
      ours.forEach(check -> steps.add(() -> attempt(check, () -> activate(check))));
      workloads.getStore().list().forEach(workload -> steps.add(() -> attempt(workload, () -> judge(workload, names))));
      wait = allGoWell(steps) ? POLL_MILLISECONDS : Math.min(LONGEST_WAIT_MILLISECONDS, 2 * wait);
      changes.tryAcquire(wait, TimeUnit.MILLISECONDS);
      changes.drainPermits();
    }
  }

  /** Follows a kind; its changes wake the loop. */
  private SharedIndexInformer<GenericKubernetesResource> follow(String kind, String plural, boolean namespaced) {
    var resources = client.genericKubernetesResources(context(kind, plural, namespaced));
    ResourceEventHandler<GenericKubernetesResource> wake =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(GenericKubernetesResource added) {
            changes.release();
          }

          @Override
          public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            changes.release();
          }

          @Override
          public void onDelete(GenericKubernetesResource deleted, boolean finalStateUnknown) {
            changes.release();
          }
        };
    return namespaced ? resources.inAnyNamespace().inform(wake) : resources.inform(wake);
  }

  private static ResourceDefinitionContext context(String kind, String plural, boolean namespaced) {
    return new ResourceDefinitionContext.Builder()
        .withGroup("kueue.x-k8s.io")
        .withVersion("v1beta2")
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(namespaced)
        .build();
  }

  private boolean allGoWell(List<Callable<Boolean>> steps) throws InterruptedException {
    boolean well = true;
    for (Future<Boolean> step : pool.invokeAll(steps)) {
      try {
        well &= step.get();
      } catch (ExecutionException error) {
        well = false;
      }
    }
    return well;
  }

  /** Takes a step and tells whether that went well; trouble is printed, and never turned into a verdict. */
  private static boolean attempt(GenericKubernetesResource object, Step step) throws InterruptedException {
    try {
      step.take();
      return true;
    } catch (KubernetesClientException error) {
      // An object that is gone or was changed meanwhile comes back through its informer.
      if (error.getCode() == NOT_FOUND || error.getCode() == CONFLICT) {
        return true;
      }
      if (error.getCode() == TOO_MANY_REQUESTS) {
        TimeUnit.SECONDS.sleep(retryAfterSeconds(error));
      }
      System.out.println(object.getMetadata().getName() + ": " + error.getMessage());
    } catch (Exception error) {
      System.out.println(object.getMetadata().getName() + ": " + error);
    }
    return false;
  }

  private static int retryAfterSeconds(KubernetesClientException error) {
    var details = error.getStatus() == null ? null : error.getStatus().getDetails();
    return details == null || details.getRetryAfterSeconds() == null ? 1 : details.getRetryAfterSeconds();
  }

  private interface Step {
    void take() throws Exception;
  }

  /** Says that a check can be used, once for each generation of it. */
  private void activate(GenericKubernetesResource check) {
    if (!AdmissionChecks.isActive(check)) {
      client
          .genericKubernetesResources(context("AdmissionCheck", "admissionchecks", false))
          .resource(AdmissionChecks.activated(check))
          .updateStatus();
    }
  }

  /** Brings our entries up to date with one PUT; its resourceVersion makes the server refuse a decision about an older state. */
  private void judge(GenericKubernetesResource workload, Set<String> checks) throws Exception {
    if (!Workloads.mayBeJudged(workload) || Workloads.entries(workload).stream().noneMatch(entry -> checks.contains(entry.get("name")))) {
      return;
    }
    var metadata = workload.getMetadata();
    List<java.util.Map<String, Object>> entries = new ArrayList<>();
    for (var entry : Workloads.entries(workload)) {
      // Retry and Rejected are Kueue's to move on.
      boolean open = checks.contains(entry.get("name")) && !Workloads.isAgainst(entry);
      entries.add(open ? Workloads.answered(entry, endpoint.ask(metadata.getNamespace(), metadata.getName(), (String) entry.get("name"))) : entry);
    }
    if (!entries.equals(Workloads.entries(workload))) {
      client
          .genericKubernetesResources(context("Workload", "workloads", true))
          .inNamespace(metadata.getNamespace())
          .resource(Workloads.withEntries(workload, entries))
          .updateStatus();
    }
  }
}
