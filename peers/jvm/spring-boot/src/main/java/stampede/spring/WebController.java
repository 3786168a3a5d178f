package stampede.spring;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class WebController {
    record Digest(int bytes, String sha256) {}

    @BodyLimit(1_000_000)
    @PostMapping("/upload")
    Digest upload(@RequestBody(required = false) byte[] body) throws NoSuchAlgorithmException {
        var bytes = body == null ? new byte[0] : body;
        var hash = MessageDigest.getInstance("SHA-256").digest(bytes);
        return new Digest(bytes.length, HexFormat.of().formatHex(hash));
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
