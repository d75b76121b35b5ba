package honest;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A Lease of our own: one replica is at work. */
final class Lease {
  private static final int SECONDS = 3;
  private static final long RENEW_MILLISECONDS = 600;

  private final String identity = UUID.randomUUID().toString();
  private final KubernetesClient client;
  private volatile boolean held;
  private volatile boolean over;

  Lease(KubernetesClient client) {
    this.client = client;
  }

  /** Waits until it is ours, and renews it from then on; a process that loses it ends. */
  void acquire() throws InterruptedException {
    while (!attempt()) {
      TimeUnit.MILLISECONDS.sleep(RENEW_MILLISECONDS / 2);
    }
    held = true;
    Thread renewal =
        new Thread(
            () -> {
              long renewed = System.nanoTime();
              while (!over) {
                try {
                  TimeUnit.MILLISECONDS.sleep(RENEW_MILLISECONDS);
                } catch (InterruptedException end) {
                  return;
                }
                if (attempt()) {
                  renewed = System.nanoTime();
                } else if (System.nanoTime() - renewed > TimeUnit.SECONDS.toNanos(SECONDS - 1)) {
                  Runtime.getRuntime().halt(1);
                }
              }
            });
    renewal.setDaemon(true);
    renewal.start();
  }

  void release() {
    over = true;
    if (held) {
      try {
        var lease = resource().get();
        if (identity.equals(lease.getSpec().getHolderIdentity())) {
          resource().edit(old -> new LeaseBuilder(old).editSpec().withHolderIdentity("").endSpec().build());
        }
      } catch (RuntimeException tooLate) {
        // It runs out by itself.
      }
    }
  }

  private Resource<io.fabric8.kubernetes.api.model.coordination.v1.Lease> resource() {
    return client.leases().inNamespace("default").withName("honest-java");
  }

  private boolean attempt() {
    try {
      var now = ZonedDateTime.now(ZoneOffset.UTC);
      var lease = resource().get();
      if (lease == null) {
        var created =
            new LeaseBuilder().withNewMetadata().withNamespace("default").withName("honest-java").endMetadata()
                .withNewSpec().withHolderIdentity(identity).withLeaseDurationSeconds(SECONDS).withAcquireTime(now).withRenewTime(now).endSpec();
        client.resource(created.build()).create();
        return true;
      }
      String holder = lease.getSpec().getHolderIdentity();
      var renewed = lease.getSpec().getRenewTime();
      boolean free = holder == null || holder.isEmpty() || renewed == null || Duration.between(renewed, now).getSeconds() >= SECONDS;
      if (!free && !holder.equals(identity)) {
        return false;
      }
      var spec = new LeaseBuilder(lease).editSpec().withHolderIdentity(identity).withLeaseDurationSeconds(SECONDS).withRenewTime(now);
      client.resource((free ? spec.withAcquireTime(now) : spec).endSpec().build()).update();
      return true;
    } catch (KubernetesClientException problem) {
      return false;
    }
  }
}
