-- What operators have changed, for good: one row for a change that PostgreSQL commits with it, two for one that happens
-- elsewhere (its start and its end). A start without an end was killed half-way. Dry runs leave nothing.
CREATE TABLE onceward.ops_actions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  acted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The account on the operator's machine, as that machine says it. The next two are the server's own word.
  operator text NOT NULL,
  database_role text NOT NULL DEFAULT session_user,
  client_address inet DEFAULT inet_client_addr(),
  -- The words of the command line, such as "relay pause", and what was given to it.
  command text NOT NULL,
  arguments text NOT NULL,
  state text NOT NULL,
  -- The start that this is the end of. A start ends once.
  started_id bigint CONSTRAINT ops_actions_one_end UNIQUE CONSTRAINT ops_actions_start REFERENCES onceward.ops_actions,
  result text,
  CONSTRAINT ops_actions_state_known CHECK (state IN ('done', 'started', 'succeeded', 'failed', 'interrupted')),
  CONSTRAINT ops_actions_end_names_its_start
    CHECK ((started_id IS NOT NULL) = (state IN ('succeeded', 'failed', 'interrupted'))),
  CONSTRAINT ops_actions_start_has_no_result CHECK ((result IS NULL) = (state = 'started')),
  CONSTRAINT ops_actions_operator_length CHECK (char_length(operator) BETWEEN 1 AND 200),
  CONSTRAINT ops_actions_command_length CHECK (char_length(command) BETWEEN 1 AND 200),
  CONSTRAINT ops_actions_arguments_length CHECK (char_length(arguments) <= 4000),
  CONSTRAINT ops_actions_result_length CHECK (char_length(result) BETWEEN 1 AND 4000),
  CONSTRAINT ops_actions_operator_without_secret CHECK (NOT onceward.text_has_secret(operator)),
  CONSTRAINT ops_actions_command_without_secret CHECK (NOT onceward.text_has_secret(command)),
  CONSTRAINT ops_actions_arguments_without_secret CHECK (NOT onceward.text_has_secret(arguments)),
  CONSTRAINT ops_actions_result_without_secret CHECK (NOT onceward.text_has_secret(result))
);

-- Time, role and address are the server's to write.
GRANT INSERT (operator, command, arguments, state, started_id, result) ON onceward.ops_actions TO onceward_ops;
GRANT SELECT ON onceward.ops_actions TO onceward_ops, onceward_ops_read;

-- Nobody may change or delete them; this holds the owner to it as well.
CREATE FUNCTION onceward.refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = onceward, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are kept as they are', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER ops_actions_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON onceward.ops_actions
  FOR EACH STATEMENT EXECUTE FUNCTION onceward.refuse_change();

-- For `onceward doctor`: which migrations have run, and whether events lie in the DEFAULT partition.
GRANT SELECT ON onceward.flyway_schema_history TO onceward_ops, onceward_ops_read;
GRANT SELECT ON onceward.outbox_events_default TO onceward_ops, onceward_ops_read;
CREATE POLICY ops_see_all ON onceward.outbox_events_default FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
