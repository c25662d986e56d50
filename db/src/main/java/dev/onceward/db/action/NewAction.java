package dev.onceward.db.action;

import dev.onceward.db.secret.SecretGuard;

/**
 * A change that an operator is about to make. Immutable. Texts that are too long are cut, and one
 * that looks like a secret is withheld: a record that cannot be written would stop the change.
 *
 * @param operator who makes it, at most 200 characters
 * @param command the words of the command line, such as {@code relay pause}, at most 200 characters
 * @param arguments what was given to it, at most 4,000 characters; empty if nothing was
 */
public record NewAction(String operator, String command, String arguments) {

  static final String WITHHELD = "(withheld: it looks like a secret)";

  private static final int NAME_LENGTH = 200;
  private static final int TEXT_LENGTH = 4000;

  public NewAction {
    operator = orDash(kept(operator, NAME_LENGTH));
    command = orDash(kept(command, NAME_LENGTH));
    arguments = kept(arguments, TEXT_LENGTH);
  }

  /** A result as it can be written: never empty. */
  static String result(String text) {
    return orDash(kept(text, TEXT_LENGTH));
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static String kept(String text, int length) {
    // PostgreSQL has no NUL, and half of a pair is no character.
    String clean = text.replaceAll("\\p{Cntrl}|\\p{Cs}", " ").strip();
    if (SecretGuard.isSecretInText(clean)) {
      return WITHHELD;
    }
    int characters = clean.codePointCount(0, clean.length());
    return characters <= length
        ? clean
        : clean.substring(0, clean.offsetByCodePoints(0, length - 1)) + "…";
  }
}
