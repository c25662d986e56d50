package dev.onceward.ops.console.page;

import org.jspecify.annotations.Nullable;

/**
 * What is around every page. Immutable.
 *
 * @param title of the page
 * @param place which entry of the navigation it belongs to
 * @param user who is signed in; null if nobody is
 * @param operator whether they may change something
 * @param csrfToken for forms
 * @param version of the program
 */
public record Shell(
    String title,
    String place,
    @Nullable String user,
    boolean operator,
    String csrfToken,
    String version) {}
