package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fakecluster.FakeClusterExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FakeClusterTest {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @RegisterExtension
  static final FakeClusterExtension CLUSTER = new FakeClusterExtension("--pod-script", "instant");

  @Test
  void aFinishedJobIsDeletedAfterAnHourWhichPassesAtOnce() {
    String job =
        """
        {"metadata": {"name": "train"}, "spec": {"ttlSecondsAfterFinished": 3600, "template": {"spec":
        {"restartPolicy": "Never", "containers": [{"name": "work", "image": "work"}]}}}}""";
    assertEquals(201, CLUSTER.request("POST", JOBS, job).statusCode());

    CLUSTER.advance(Duration.ofMinutes(59));
    assertEquals(200, CLUSTER.request("GET", JOBS + "/train", null).statusCode());
    CLUSTER.advance(Duration.ofMinutes(2));
    assertEquals(404, CLUSTER.request("GET", JOBS + "/train", null).statusCode());
  }

  @Test
  void aFaultIsAddedAndTakenAway() {
    String data = "{\"metadata\": {\"name\": \"data\"}}";
    Runnable remove =
        CLUSTER.fault("{\"verb\": \"create\", \"resource\": \"configmaps\"}", "{\"kind\": \"answer\", \"code\": 503}");

    assertEquals(503, CLUSTER.request("POST", MAPS, data).statusCode());
    remove.run();
    assertEquals(201, CLUSTER.request("POST", MAPS, data).statusCode());
  }
}
