import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Set;

/** Passes on GET and HEAD of one path: a context by itself takes all paths that start with its own. */
final class Exactly extends Filter {
    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        if (!exchange.getRequestURI().getPath().equals(exchange.getHttpContext().getPath())) {
            exchange.sendResponseHeaders(404, -1);
        } else if (!METHODS.contains(exchange.getRequestMethod())) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            exchange.sendResponseHeaders(405, -1);
        } else {
            try {
                chain.doFilter(exchange);
            } catch (IllegalArgumentException e) {
                exchange.sendResponseHeaders(400, -1);
            }
        }
    }

    @Override
    public String description() {
        return "GET and HEAD of the context's own path";
    }
}
