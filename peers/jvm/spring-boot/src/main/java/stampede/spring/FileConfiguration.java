package stampede.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;

/** A folder of files, which may be compressed already. */
@Configuration
class FileConfiguration implements WebMvcConfigurer {
    private final String folder;

    FileConfiguration(@Value("${STATIC_FOLDER:public}") String folder) {
        this.folder = folder;
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/static/**")
                .addResourceLocations("file:" + folder + "/")
                .setEtagGenerator(FileConfiguration::tagOf)
                .resourceChain(true)
                .addResolver(new EncodedResourceResolver());
    }

    private static String tagOf(Resource file) {
        try {
            return Long.toHexString(file.lastModified()) + "-" + Long.toHexString(file.contentLength());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
