package dev.onceward.embedded.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of the long fault suite: run with {@code mvn verify -Pfaults}, never by a plain {@code mvn
 * verify}. The suite can be resumed: see {@link LongFaultSuite}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("faults")
@ExtendWith(LongFaultSuite.class)
public @interface LongFault {}
