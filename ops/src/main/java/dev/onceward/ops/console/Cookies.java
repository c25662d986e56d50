package dev.onceward.ops.console;

/**
 * The console's cookies: seen by no script, sent by no other site. Immutable.
 *
 * @param secure whether browsers come over TLS; then they send them over nothing else
 */
record Cookies(boolean secure) {

  private static final String PREFIX = "__Host-";

  String sessionName() {
    return (secure ? PREFIX : "") + "onceward_session";
  }

  String signInName() {
    return (secure ? PREFIX : "") + "onceward_sign_in";
  }

  /** Sets one until the browser is closed. */
  String set(String name, String value) {
    return name + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
  }

  /** Takes one away. */
  String clear(String name) {
    return set(name, "") + "; Max-Age=0";
  }
}
