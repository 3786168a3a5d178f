package stampede.spring;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Tomcat limits bodies of forms alone. */
@ControllerAdvice
class BodyLimitAdvice extends RequestBodyAdviceAdapter {
    private record Body(InputStream getBody, HttpHeaders getHeaders) implements HttpInputMessage {}

    @Override
    public boolean supports(
            MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
        return parameter.hasMethodAnnotation(BodyLimit.class);
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter)
            throws IOException {
        var limit = parameter.getMethodAnnotation(BodyLimit.class).value();
        var bytes = message.getBody().readNBytes(limit + 1);
        if (bytes.length > limit) {
            throw new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE);
        }
        return new Body(new ByteArrayInputStream(bytes), message.getHeaders());
    }
}
