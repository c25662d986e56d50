-- What every later migration stands on: workspace isolation, version-7 ids, the guard against secrets.
-- Run as onceward_owner, which is no superuser.

-- Functions are callable by those who are named, not by everybody.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

GRANT USAGE ON SCHEMA onceward
  TO onceward_app, onceward_relay, onceward_ops, onceward_ops_read, onceward_definer;

-- The workspace of the running transaction. Absent and empty are the same: no workspace, so nothing is seen or
-- written. (PostgreSQL leaves an empty string behind after a set_config(…, true) has ended.)
CREATE FUNCTION onceward.current_workspace() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('app.workspace_id', true), '')::uuid;

GRANT EXECUTE ON FUNCTION onceward.current_workspace() TO PUBLIC;

-- Puts row-level security on a table with a workspace_id. FORCE binds the owner too.
CREATE PROCEDURE onceward.isolate_by_workspace(isolated regclass)
LANGUAGE plpgsql SET search_path = onceward, pg_temp AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', isolated);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', isolated);
  EXECUTE format(
    'CREATE POLICY workspace_isolation ON %s USING (workspace_id = onceward.current_workspace())'
    ' WITH CHECK (workspace_id = onceward.current_workspace())', isolated);
END
$$;

REVOKE EXECUTE ON PROCEDURE onceward.isolate_by_workspace(regclass) FROM PUBLIC;

-- A version-7 UUID (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then random bits. Servers before 18 have
-- no function of their own. A random version-4 id gets the time in front, and its version bits 0100 become 0111.
CREATE FUNCTION onceward.uuid_v7() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN encode(
  set_bit(
    set_bit(
      overlay(
        uuid_send(gen_random_uuid())
        PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      52, 1),
    53, 1),
  'hex')::uuid;

GRANT EXECUTE ON FUNCTION onceward.uuid_v7() TO PUBLIC;

CREATE FUNCTION onceward.is_uuid_v7(candidate uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN substring(candidate::text FROM 15 FOR 1) = '7' AND substring(candidate::text FROM 20 FOR 1) IN ('8', '9', 'a', 'b');

GRANT EXECUTE ON FUNCTION onceward.is_uuid_v7(uuid) TO PUBLIC;

-- The least id of a version-7 UUID made at that time or later.
CREATE FUNCTION onceward.uuid_v7_lower_bound(at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;

GRANT EXECUTE ON FUNCTION onceward.uuid_v7_lower_bound(timestamptz) TO PUBLIC;

-- Whether a text shows a secret by its shape: signed URLs, keys and tokens of well-known form, URLs with a password.
-- The Java twin is dev.onceward.db.secret.SecretGuard; a test holds the two patterns to the same letters.
CREATE FUNCTION onceward.text_has_secret(content text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN content ~* '[?&](?:x-amz-signature|x-amz-security-token|x-goog-signature|x-oss-signature|q-signature|signature|sig|access_token|refresh_token|token|api[-_]?key|password|secret)=[^&" ]|://[^/ ":@]+:[^/ "@]+@|-----begin [a-z ]*private key'
  OR content ~ '(?:^|[^0-9A-Za-z+/_-])(?:A[KS]IA[0-9A-Z]{16}|LTAI[0-9A-Za-z]{12,24}|gh[oprsu]_[0-9A-Za-z]{36}|sk-[0-9A-Za-z_-]{20,}|xox[abprs]-[0-9A-Za-z-]{10,}|whsec_[0-9A-Za-z+/=]{24,}|ow_[0-9a-z]{8,}_[0-9A-Za-z_-]{32,}|eyJ[0-9A-Za-z_-]{10,}[.]eyJ[0-9A-Za-z_-]{10,}|[Bb]earer (?=[A-Za-z._~+/-]*[0-9])[0-9A-Za-z._~+/-]{16,})';

GRANT EXECUTE ON FUNCTION onceward.text_has_secret(text) TO PUBLIC;

-- Whether a JSON text holds a secret, by the name of a member with a text value (its last word counts, so that
-- access_key_id and password_changed_at are fine) or by the shape of a value. It works on the text, not on jsonb: jsonb
-- refuses \u0000 and would cost more than the insert. Escapes that could hide a letter are undone first.
CREATE FUNCTION onceward.json_has_secret(document json) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  content text := document::text;
  code text;
BEGIN
  IF position('\' IN content) > 0 THEN
    content := replace(content, '\/', '/');
    FOR code IN SELECT DISTINCT escape[1] FROM regexp_matches(content, '\\u00([2-7][0-9A-Fa-f])', 'g') AS escape LOOP
      IF code NOT IN ('22', '5c', '5C') THEN -- a quote or backslash of the text must not become JSON's own
        content := replace(content, '\u00' || code, chr(('x' || code)::bit(8)::int));
      END IF;
    END LOOP;
  END IF;
  RETURN content ~* '(?:password|passwd|passphrase|secret|(?:api|access|private|secret|storage|session|signing)[-_ .]?key|token|cookies?|authorization|credentials?)"[ \t\n\r]*:[ \t\n\r]*(?:[[][ \t\n\r]*)?"[^"]'
    OR onceward.text_has_secret(content);
END
$$;

GRANT EXECUTE ON FUNCTION onceward.json_has_secret(json) TO PUBLIC;
