import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/** The JDK's own server: https://docs.oracle.com/en/java/javase/17/docs/api/jdk.httpserver/ */
final class Http {
    /** Connections that wait to be accepted. The default, 50, is fewer than come at once. */
    private static final int BACKLOG = 1024;

    static HttpServer server(Executor executor) throws IOException {
        var address = new InetSocketAddress(System.getenv("HOST"), number("PORT", 8080));
        var server = HttpServer.create(address, BACKLOG);
        server.setExecutor(executor);
        return server;
    }

    static int number(String variable, int fallback) {
        var text = System.getenv(variable);
        return text == null ? fallback : Integer.parseInt(text);
    }

    /** Lets a handler answer GET and HEAD of a path, and of no path that starts with it. */
    static void get(HttpServer server, String path, HttpHandler handler) {
        server.createContext(path, handler).getFilters().add(new Exactly());
    }

    static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        exchange.sendResponseHeaders(200, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
