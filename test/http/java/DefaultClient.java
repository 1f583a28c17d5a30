import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Calls the API with Java's default client, which offers `Upgrade: h2c` on plain http. */
class DefaultClient {
  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    String authorization = "Bearer " + arguments[1];
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(url + "/api/v1/codes/batch"))
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"codes\":[\"E0601\"]}"))
            .build();
    HttpRequest get =
        HttpRequest.newBuilder(URI.create(url + "/api/v1/jurisdictions"))
            .header("Authorization", authorization)
            .build();
    for (HttpRequest request : new HttpRequest[] {post, get, post}) {
      var response = client.send(request, BodyHandlers.ofString());
      System.out.println(request.method() + " " + response.statusCode() + " " + response.version());
    }
  }
}
