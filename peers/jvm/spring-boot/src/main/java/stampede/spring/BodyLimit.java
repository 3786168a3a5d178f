package stampede.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** How many bytes the body of a request may have; a larger one is answered 413. */
@Retention(RetentionPolicy.RUNTIME)
@interface BodyLimit {
    int value();
}
