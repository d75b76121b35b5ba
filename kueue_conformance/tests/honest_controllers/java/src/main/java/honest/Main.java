package honest;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A check controller on fabric8, written from the guide alone. DESIGN names one of five designs, all right; MISTAKE one honest mistake to make. */
public final class Main {
  static final String MISTAKE = System.getenv().getOrDefault("MISTAKE", "");

  /** How a controller is built: each is right. */
  record Design(Write write, boolean polls, int workers, boolean laneForNamespace, boolean switched, boolean leased) {}

  enum Write { JSON_PATCH, PUT, APPLY, MERGE }

  private static final Map<String, Design> DESIGNS =
      Map.of(
          "queue", new Design(Write.JSON_PATCH, false, 4, false, false, false),
          "polling", new Design(Write.PUT, true, 1, false, false, false),
          "apply", new Design(Write.APPLY, false, 4, false, false, false),
          "switched", new Design(Write.MERGE, false, 4, false, true, false),
          "leased", new Design(Write.MERGE, false, 4, true, false, true));

  private Main() {}

  static boolean makes(String mistake) {
    return MISTAKE.equals(mistake);
  }

  public static void main(String[] arguments) throws Exception {
    Design design = DESIGNS.get(System.getenv().getOrDefault("DESIGN", "queue"));
    String name = System.getenv().getOrDefault("KUEUE_CONFORMANCE_CONTROLLER_NAME", "example.com/honest");
    var config = new ConfigBuilder().withUserAgent("honest-java/1").withRequestRetryBackoffLimit(0).withWatchReconnectInterval(100).build();
    var client = new KubernetesClientBuilder().withConfig(config).build();
    var lease = new Lease(client);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  lease.release();
                  Runtime.getRuntime().halt(0);
                }));
    if (design.leased()) {
      TimeUnit.SECONDS.sleep(2);
      lease.acquire();
    }
    new Controller(client, name, design).run();
  }
}
