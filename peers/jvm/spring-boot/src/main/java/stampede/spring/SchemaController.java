package stampede.spring;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SchemaController {
    record Reply(String message) {}

    @BodyLimit(65_536)
    @PostMapping(path = "/schema", consumes = MediaType.APPLICATION_JSON_VALUE)
    Reply schema(
            @RequestHeader("x-foo") String foo,
            @RequestParam(required = false) @Pattern(regexp = "-?[0-9]+") String excitement,
            @RequestBody @Valid SchemaBody body) {
        return new Reply("Hello, World");
    }
}
