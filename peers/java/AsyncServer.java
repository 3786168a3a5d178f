import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** WORKERS threads for all requests: one that waits keeps none, and primes have threads beside them. */
public final class AsyncServer {
    public static void main(String[] args) throws IOException {
        var requests = Executors.newFixedThreadPool(Http.number("WORKERS", 1));
        var clock = Executors.newSingleThreadScheduledExecutor();
        var cores = Runtime.getRuntime().availableProcessors();
        var cpu = Executors.newFixedThreadPool(Http.number("CPU_WORKERS", cores));

        var server = Http.server(requests);
        Http.get(server, "/", Pages::text);
        Http.get(server, "/json", Pages::json);
        Http.get(server, "/delay", exchange -> {
            var ms = Pages.waitMs(exchange);
            if (ms == 0) {
                Pages.hello(exchange);
                return;
            }
            var answer = task(exchange, Pages::hello);
            clock.schedule(() -> requests.execute(answer), ms, TimeUnit.MILLISECONDS);
        });
        Http.get(server, "/primes", exchange -> {
            var limit = Pages.limit(exchange);
            cpu.execute(task(exchange, later -> Pages.primes(later, limit)));
        });
        server.start();
    }

    /** An answer that is given on another thread; a client that has left is no error. */
    private static Runnable task(HttpExchange exchange, HttpHandler handler) {
        return () -> {
            try {
                handler.handle(exchange);
            } catch (IOException e) {
                exchange.close();
            }
        };
    }
}
