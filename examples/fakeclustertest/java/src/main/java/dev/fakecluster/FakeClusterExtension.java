package dev.fakecluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts a fakecluster for a test class, with time and faults on command: {@code @RegisterExtension static final
 * FakeClusterExtension CLUSTER = new FakeClusterExtension();}. Needs the JDK and JUnit alone; FAKECLUSTER names the
 * program where it is not on PATH.
 */
public final class FakeClusterExtension implements BeforeAllCallback, AfterAllCallback {
  private final List<String> options;
  private Process process;
  private Path folder;
  private String text;
  private HttpClient client;

  /** Takes further options of {@code fakecluster serve}; time is virtual unless one says otherwise. */
  public FakeClusterExtension(String... options) {
    this.options = List.of(options);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    folder = Files.createTempDirectory("fakecluster");
    String program = System.getenv().getOrDefault("FAKECLUSTER", "fakecluster");
    List<String> command =
        new ArrayList<>(List.of(program, "serve", "--kubeconfig", kubeconfig().toString(), "--clock", "virtual"));
    command.addAll(options);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String line = process.inputReader().readLine();
    if (line == null || !line.startsWith("ready ")) {
      throw new IOException("fakecluster printed '" + line + "', expected a line that begins with ready");
    }
    text = Files.readString(kubeconfig());
    client = HttpClient.newBuilder().sslContext(trust(field("certificate-authority-data"))).build();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    process.destroy();
    process.waitFor(10, TimeUnit.SECONDS);
    Files.deleteIfExists(kubeconfig());
    Files.delete(folder);
  }

  /** A file that leads an administrator to the cluster, for any client. */
  public Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  /** Asks the API server; {@code body} is JSON, or null. */
  public HttpResponse<String> request(String method, String path, String body) {
    HttpRequest.BodyPublisher publisher =
        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(field("server") + path))
            .header("Authorization", "Bearer " + field("token"))
            .header("Content-Type", "application/json")
            .method(method, publisher)
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException problem) {
      throw new IllegalStateException(method + " " + path + ": " + problem, problem);
    } catch (InterruptedException problem) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(problem);
    }
  }

  /** Lets time pass at once; what is due meanwhile happens, and is done when it returns. */
  public void advance(Duration duration) {
    laboratory("POST", "clock/advance", "{\"seconds\": " + duration.toMillis() / 1000.0 + "}");
  }

  /** Adds a fault, as JSON of the laboratory over HTTP; what it returns takes it away. */
  public Runnable fault(String match, String effect) {
    String rule = laboratory("POST", "faults", "{\"match\": " + match + ", \"effect\": " + effect + "}");
    Matcher id = Pattern.compile("\"id\": *\"?([^\",}]+)").matcher(rule);
    if (!id.find()) {
      throw new IllegalStateException("a fault without an id: " + rule);
    }
    return () -> laboratory("DELETE", "faults/" + id.group(1), null);
  }

  private String laboratory(String method, String path, String body) {
    HttpResponse<String> answer = request(method, "/_fakecluster/" + path, body);
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  private String field(String name) {
    Matcher line = Pattern.compile(name + ": (\\S+)").matcher(text);
    if (!line.find()) {
      throw new IllegalStateException("the kubeconfig of fakecluster has no " + name);
    }
    return line.group(1);
  }

  private static SSLContext trust(String authority) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    var certificate = new ByteArrayInputStream(Base64.getDecoder().decode(authority));
    store.setCertificateEntry("fakecluster", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
    TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    return context;
  }
}
