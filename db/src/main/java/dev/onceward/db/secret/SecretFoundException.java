package dev.onceward.db.secret;

/** Something that is stored or sent in the clear holds a secret. The message does not repeat it. */
public final class SecretFoundException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SecretFoundException(String where) {
    super(
        where
            + " holds something that looks like a secret (a password, token, key, cookie or signed URL); store it encrypted and put only its id here");
  }
}
