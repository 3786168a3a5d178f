import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** What is answered. */
final class Pages {
    private static final Path HELLO = Path.of(System.getenv("HELLO_HTML"));
    private static final AtomicLong DELAYS = new AtomicLong();

    static void text(HttpExchange exchange) throws IOException {
        Http.send(exchange, "text/plain;charset=UTF-8", utf8("Hello world"));
    }

    static void json(HttpExchange exchange) throws IOException {
        var json = "{\"message\":\"Hello world\",\"ts\":\"" + Instant.now() + "\"}";
        Http.send(exchange, "application/json", utf8(json));
    }

    static void hello(HttpExchange exchange) throws IOException {
        Http.send(exchange, "text/html;charset=utf-8", Files.readAllBytes(HELLO));
    }

    /** How long a request of /delay has to wait: every tenth 2 s, unless its query says otherwise. */
    static long waitMs(HttpExchange exchange) {
        var ms = integer(exchange, "ms", 0, 60_000, 2000);
        var every = integer(exchange, "every", 1, 1_000_000, 10);
        return DELAYS.incrementAndGet() % every == 0 ? ms : 0;
    }

    static void primes(HttpExchange exchange, int limit) throws IOException {
        var json = new StringBuilder("{\"numbers\":[");
        var composite = new byte[limit + 1];
        for (var n = 2; n <= limit; n++) {
            if (composite[n] != 0) {
                continue;
            }
            json.append(n == 2 ? "" : ",").append(n);
            for (var multiple = (long) n * n; multiple <= limit; multiple += n) {
                composite[(int) multiple] = 1;
            }
        }
        json.append("],\"from\":\"java\"}");
        Http.send(exchange, "application/json", utf8(json.toString()));
    }

    static int limit(HttpExchange exchange) {
        return integer(exchange, "limit", 2, 10_000_000, 1_000_000);
    }

    /** A whole number in the query. */
    private static int integer(HttpExchange exchange, String name, int low, int high, int fallback) {
        var query = exchange.getRequestURI().getQuery();
        for (var parameter : query == null ? new String[0] : query.split("&")) {
            if (parameter.startsWith(name + "=")) {
                var value = Integer.parseInt(parameter.substring(name.length() + 1));
                if (value < low || value > high) {
                    throw new IllegalArgumentException(name);
                }
                return value;
            }
        }
        return fallback;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
