-- Makes the roles and the schema. Run once per database, before the migrations, by a superuser or by the
-- administrator of a managed PostgreSQL (a role with CREATEROLE that owns the database). Running it again is harmless.
--
-- The roles get no passwords here: set them afterwards (in psql: \password onceward_app).
-- Only onceward_owner runs the migrations; nobody of ours is superuser or may bypass row-level security.

DO $bootstrap$
DECLARE
  role_name text;
  login_roles constant text[] :=
    ARRAY['onceward_owner', 'onceward_app', 'onceward_relay', 'onceward_ops', 'onceward_ops_read'];
BEGIN
  FOREACH role_name IN ARRAY login_roles LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
        EXECUTE format('CREATE ROLE %I LOGIN', role_name);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- roles belong to the whole server: another database's bootstrap was quicker
    END;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), role_name);
  END LOOP;

  -- Owns the SECURITY DEFINER functions that must look across workspaces; each of its rights is an explicit policy.
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'onceward_definer') THEN
      CREATE ROLE onceward_definer NOLOGIN;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
  END;

  -- The owner must be able to hand functions to onceward_definer, but must not see through its policies:
  -- a role without INHERIT has only the rights that it takes on by SET ROLE.
  IF (SELECT rolinherit FROM pg_roles WHERE rolname = 'onceward_owner') THEN
    ALTER ROLE onceward_owner NOINHERIT;
  END IF;
  -- pg_auth_members and not pg_has_role(): a superuser has every role without being a member.
  IF NOT EXISTS (
    SELECT FROM pg_auth_members
    WHERE roleid = 'onceward_definer'::regrole AND member = 'onceward_owner'::regrole) THEN
    GRANT onceward_definer TO onceward_owner;
  END IF;

  -- The relay streams from a replication slot. Managed services grant that by membership in a role of their own.
  IF NOT (SELECT rolreplication FROM pg_roles WHERE rolname = 'onceward_relay') THEN
    BEGIN
      ALTER ROLE onceward_relay REPLICATION;
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE WARNING 'onceward_relay did not get the REPLICATION attribute'
        USING HINT = 'Grant replication the way your service does it, for example GRANT rds_replication TO onceward_relay.';
    END;
  END IF;

  -- CREATE on the database: the migrations make a publication.
  EXECUTE format('GRANT CREATE ON DATABASE %I TO onceward_owner', current_database());
END
$bootstrap$;

CREATE SCHEMA IF NOT EXISTS onceward AUTHORIZATION onceward_owner;
