import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Asks one server three times: GET, POST, GET. The JDK's client offers h2c where there is no TLS. */
public class Ask {
  public static void main(String[] arguments) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, null);
    HttpClient client = HttpClient.newBuilder().sslContext(context).build();
    HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(arguments[0]));
    HttpRequest get = builder.copy().GET().build();
    HttpRequest post =
        builder.copy().POST(HttpRequest.BodyPublishers.ofString("{\"a\": 1}")).header("Content-Type", "application/json").build();
    for (HttpRequest request : new HttpRequest[] {get, post, get}) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      System.out.println(response.statusCode());
    }
  }

  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override public void checkClientTrusted(X509Certificate[] chain, String type) {}
    @Override public void checkServerTrusted(X509Certificate[] chain, String type) {}
    @Override public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}
    @Override public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}
    @Override public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
    @Override public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
    @Override public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
  }
}
