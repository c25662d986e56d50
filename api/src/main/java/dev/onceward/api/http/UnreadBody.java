package dev.onceward.api.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Tells a client that its connection ends. The server ends it after an answer that left a part of
 * the request's body unread; a client that was not told would send its next request into it and get
 * no answer. Thread-safe.
 */
final class UnreadBody extends Handler.Wrapper {

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, new Telling(request, response), callback);
  }

  private static final class Telling extends Response.Wrapper {

    Telling(Request request, Response response) {
      super(request, response);
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      // What has come already is thrown away; nothing is waited for.
      if (!isCommitted() && !getRequest().consumeAvailable()) {
        getHeaders().put(HttpFields.CONNECTION_CLOSE);
      }
      super.write(last, content, callback);
    }
  }
}
