import java.io.IOException;
import java.util.concurrent.Executors;

/** A thread for each request under way: one that waits keeps its thread. */
public final class ThreadServer {
    public static void main(String[] args) throws IOException {
        var server = Http.server(Executors.newCachedThreadPool());
        Http.get(server, "/", Pages::text);
        Http.get(server, "/json", Pages::json);
        Http.get(server, "/delay", exchange -> {
            sleep(Pages.waitMs(exchange));
            Pages.hello(exchange);
        });
        Http.get(server, "/primes", exchange -> Pages.primes(exchange, Pages.limit(exchange)));
        server.start();
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
