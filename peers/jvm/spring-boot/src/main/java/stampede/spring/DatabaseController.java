package stampede.spring;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class DatabaseController {
    private static final int LAST_OFFSET = 200_000 - 10;

    record Now(OffsetDateTime ts) {}

    record User(int id, @JsonProperty("full_name") String fullName, String email) {}

    record Book(int id, String title, String author, String isbn, String language, int year, int pages) {}

    record Shelf(String from, List<Book> data) {}

    private final JdbcClient jdbc;

    DatabaseController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/sql1")
    Now now() {
        return jdbc.sql("SELECT now() AS ts").query(Now.class).single();
    }

    @GetMapping("/sql2")
    List<User> users() {
        return jdbc.sql("SELECT id, full_name, email FROM users LIMIT 10 OFFSET ?")
                .param(ThreadLocalRandom.current().nextInt(LAST_OFFSET + 1))
                .query(User.class)
                .list();
    }

    @GetMapping("/books")
    Shelf books() {
        return new Shelf("spring-boot", jdbc.sql("SELECT * FROM books").query(Book.class).list());
    }
}
