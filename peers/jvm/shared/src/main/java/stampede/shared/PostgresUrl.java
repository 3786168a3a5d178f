package stampede.shared;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** A URL of libpq, as JDBC has it: with user and password apart, and the same parameters. */
public record PostgresUrl(String jdbc, String user, String password) {
    private static final String NONE = "postgres://postgres@127.0.0.1:5432/postgres";

    /** That of DATABASE_URL, or one that nobody connects to: there may be no database at all. */
    public static PostgresUrl fromEnvironment() {
        var text = System.getenv("DATABASE_URL");
        return parse(text == null ? NONE : text);
    }

    static PostgresUrl parse(String text) {
        var url = URI.create(text);
        var account = url.getRawAuthority().split("@")[0].split(":", 2);
        var hostAndPort = url.getRawAuthority().split("@")[1];
        var parameters = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        var jdbc = "jdbc:postgresql://" + hostAndPort + url.getRawPath() + parameters;
        return new PostgresUrl(jdbc, decode(account[0]), account.length > 1 ? decode(account[1]) : "");
    }

    private static String decode(String text) {
        // A plus is itself in an account, and a space to the decoder
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
