package stampede.spring;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.stereotype.Component;
import stampede.shared.PostgresUrl;

/** Where the pool connects to. */
@Component
class Database implements JdbcConnectionDetails {
    private final PostgresUrl url = PostgresUrl.fromEnvironment();

    @Override
    public String getJdbcUrl() {
        return url.jdbc();
    }

    @Override
    public String getUsername() {
        return url.user();
    }

    @Override
    public String getPassword() {
        return url.password();
    }
}
