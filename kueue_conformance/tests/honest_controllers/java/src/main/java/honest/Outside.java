package honest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/** The budget service, which decides, and the license service, which lends. */
final class Outside {
  private final String verdicts = System.getenv("KUEUE_CONFORMANCE_VERDICT_URL");
  private final String claims = System.getenv("KUEUE_CONFORMANCE_CLAIMS_URL");
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, JsonNode> byCheck = new ConcurrentHashMap<>();
  private final Path file = Path.of(System.getProperty("java.io.tmpdir"), "honest-" + Integer.toHexString(String.valueOf(verdicts).hashCode()));
  private final Properties before = new Properties();
  private final Properties now = new Properties();

  Outside() {
    if (Main.makes("answers-from-file") && Files.exists(file)) {
      try (var reader = Files.newBufferedReader(file)) {
        before.load(reader);
        now.putAll(before);
      } catch (IOException problem) {
        throw new UncheckedIOException(problem);
      }
    }
  }

  record Claim(String id, String namespace, String workload) {}

  JsonNode decide(String namespace, String workload, String check) throws IOException, InterruptedException {
    if (Main.makes("one-verdict-for-all") && byCheck.containsKey(check)) {
      return byCheck.get(check);
    }
    String about = namespace + "/" + workload + "/" + check;
    if (before.containsKey(about)) {
      return json.readTree(before.getProperty(about));
    }
    JsonNode verdict = call("GET", verdicts + query("namespace", namespace, "workload", workload, "check", check), null);
    if (!"Pending".equals(verdict.path("state").asText())) {
      byCheck.put(check, verdict);
      if (Main.makes("answers-from-file")) {
        save(about, verdict.toString());
      }
    }
    return verdict;
  }

  private synchronized void save(String about, String verdict) throws IOException {
    if (!verdict.equals(now.put(about, verdict))) {
      try (var writer = Files.newBufferedWriter(file)) {
        now.store(writer, null);
      }
    }
  }

  /** Takes the license of a Workload; taking it twice is taking it once. */
  void claim(String namespace, String workload) throws IOException, InterruptedException {
    if (claims != null) {
      call("POST", claims, json.writeValueAsString(new Claim(namespace + "." + workload, namespace, workload)));
    }
  }

  /** Gives back what is held for a Workload. */
  void release(String namespace, String workload) throws IOException, InterruptedException {
    for (Claim item : held(query("namespace", namespace, "workload", workload))) {
      call("DELETE", claims + "/" + encoded(item.id()), null);
    }
  }

  /** Returns everything that is held, also for Workloads that are gone. */
  List<Claim> held(String query) throws IOException, InterruptedException {
    List<Claim> held = new ArrayList<>();
    if (claims != null) {
      for (JsonNode item : call("GET", claims + query, null).path("items")) {
        held.add(new Claim(item.path("id").asText(), item.path("namespace").asText(), item.path("workload").asText()));
      }
    }
    return held;
  }

  private JsonNode call(String method, String url, String body) throws IOException, InterruptedException {
    var publisher = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(10)).header("Content-Type", "application/json");
    var answer = http.send(request.method(method, publisher).build(), HttpResponse.BodyHandlers.ofString());
    boolean gone = method.equals("DELETE") && answer.statusCode() == 404;
    if (answer.statusCode() >= 300 && !gone) {
      throw new IOException(method + " " + url + ": " + answer.statusCode());
    }
    return answer.body().isBlank() ? json.createObjectNode() : json.readTree(answer.body());
  }

  private static String query(String... pairs) {
    StringBuilder query = new StringBuilder();
    for (int i = 0; i < pairs.length; i += 2) {
      query.append(i == 0 ? '?' : '&').append(pairs[i]).append('=').append(encoded(pairs[i + 1]));
    }
    return query.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
