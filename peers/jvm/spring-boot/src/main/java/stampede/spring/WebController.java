package stampede.spring;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class WebController {
    private static final int MOST_BYTES = 1_000_000;

    record Digest(int bytes, String sha256) {}

    @PostMapping("/upload")
    Digest upload(InputStream body) throws IOException, NoSuchAlgorithmException {
        var hash = MessageDigest.getInstance("SHA-256");
        var part = new byte[8192];
        var bytes = 0;
        for (int read; (read = body.read(part)) >= 0; bytes += read) {
            if (bytes + read > MOST_BYTES) {
                throw new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE);
            }
            hash.update(part, 0, read);
        }
        return new Digest(bytes, HexFormat.of().formatHex(hash.digest()));
    }

    // An SseEmitter would join what is sent early, and a StreamingResponseBody does not flush
    @GetMapping("/stream")
    void stream(
            @RequestParam(defaultValue = "100") @Min(1) @Max(10_000) int events,
            @RequestParam(defaultValue = "0") @Min(0) @Max(1000) int ms,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        var out = response.getOutputStream();
        for (var i = 1; i <= events; i++) {
            if (ms > 0 && i > 1) {
                Thread.sleep(ms);
            }
            out.print("data: " + i + "\n\n");
            out.flush();
        }
    }
}
