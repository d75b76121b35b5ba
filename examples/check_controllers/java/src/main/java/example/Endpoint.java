package example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The outside system that is asked for verdicts. */
final class Endpoint {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int OK = 200;

  private final String url;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  Endpoint(String url) {
    this.url = url;
  }

  /** Returns the verdict about a check of a Workload: state, message, and what else belongs to it. */
  JsonNode ask(String namespace, String workload, String check) throws IOException, InterruptedException {
    String query = "?namespace=" + encoded(namespace) + "&workload=" + encoded(workload) + "&check=" + encoded(check);
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + query)).timeout(TIMEOUT).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != OK) {
      throw new IOException(url + " answers " + response.statusCode());
    }
    return json.readTree(response.body());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
