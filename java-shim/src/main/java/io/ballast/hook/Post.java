package io.ballast.hook;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;

/** Sends a body by HTTP POST. */
interface Post {
  /**
   * What came back.
   *
   * @param ticket the header {@link Uplink#TICKET}; null: none
   */
  record Answer(int status, String ticket) {}

  Answer send(URI to, Map<String, String> headers, byte[] body) throws IOException;

  /** The JDK's client, never through a proxy: Nimbus is in the same network. */
  Post HTTP =
      (to, headers, body) -> {
        HttpURLConnection http = (HttpURLConnection) to.toURL().openConnection(Proxy.NO_PROXY);
        http.setConnectTimeout(3000);
        http.setReadTimeout(5000);
        http.setRequestMethod("POST");
        http.setInstanceFollowRedirects(false);
        http.setDoOutput(true);
        http.setFixedLengthStreamingMode(body.length);
        headers.forEach(http::setRequestProperty);
        try (OutputStream out = http.getOutputStream()) {
          out.write(body);
        }
        int status = http.getResponseCode();
        try (InputStream rest = status < 400 ? http.getInputStream() : http.getErrorStream()) {
          if (rest != null) {
            // Read to its end, the connection can be used again.
            rest.readNBytes(4096);
          }
        }
        return new Answer(status, http.getHeaderField(Uplink.TICKET));
      };
}
