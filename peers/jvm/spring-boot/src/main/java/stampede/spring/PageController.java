package stampede.spring;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import stampede.shared.Sieve;

@RestController
class PageController {
    record Greeting(String message, Instant ts) {}

    record Primes(int[] numbers, String from) {}

    private final Path html;
    private final AtomicLong delays = new AtomicLong();

    PageController(@Value("${HELLO_HTML:hello.html}") Path html) {
        this.html = html;
    }

    @GetMapping(path = "/", produces = MediaType.TEXT_PLAIN_VALUE)
    String text() {
        return "Hello world";
    }

    @GetMapping("/json")
    Greeting json() {
        return new Greeting("Hello world", Instant.now());
    }

    @GetMapping(path = "/delay", produces = "text/html;charset=utf-8")
    byte[] delay(
            @RequestParam(defaultValue = "2000") @Min(0) @Max(60_000) int ms,
            @RequestParam(defaultValue = "10") @Min(1) @Max(1_000_000) int every)
            throws IOException, InterruptedException {
        if (delays.incrementAndGet() % every == 0) {
            Thread.sleep(ms);
        }
        return Files.readAllBytes(html);
    }

    // An empty parameter would be its default
    @GetMapping(path = "/primes", params = "limit!=")
    Primes primes(@RequestParam(defaultValue = "1000000") @Min(2) @Max(10_000_000) int limit) {
        return new Primes(Sieve.primesUpTo(limit), "spring-boot");
    }
}
