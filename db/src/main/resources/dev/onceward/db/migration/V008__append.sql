-- One call per event or task, for backends in any language, inside their own transaction.

-- Refuses to go on without a workspace, with words that help more than a NOT NULL violation.
CREATE FUNCTION onceward.require_workspace() RETURNS uuid
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF onceward.current_workspace() IS NULL THEN
    RAISE EXCEPTION 'app.workspace_id is not set in this transaction'
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'Begin with: SELECT set_config(''app.workspace_id'', ''<workspace id>'', true)';
  END IF;
  RETURN onceward.current_workspace();
END
$$;

-- Writes one event and returns its id. The caller's own rights apply.
CREATE FUNCTION onceward.outbox_append(
  event_type text,
  aggregate_type text,
  aggregate_id text,
  payload json,
  payload_version integer DEFAULT 1,
  resource_type text DEFAULT NULL,
  resource_id text DEFAULT NULL,
  business_key text DEFAULT NULL,
  request_id text DEFAULT NULL,
  correlation_id text DEFAULT NULL,
  traceparent text DEFAULT NULL,
  event_id uuid DEFAULT NULL)
RETURNS uuid
LANGUAGE sql VOLATILE AS $$
  INSERT INTO onceward.outbox_events AS e (id, workspace_id, event_type, payload_version, aggregate_type, aggregate_id,
    resource_type, resource_id, business_key, request_id, correlation_id, traceparent, payload)
  VALUES (coalesce(outbox_append.event_id, onceward.uuid_v7()), onceward.require_workspace(), outbox_append.event_type,
    outbox_append.payload_version, outbox_append.aggregate_type, outbox_append.aggregate_id,
    coalesce(outbox_append.resource_type, outbox_append.aggregate_type),
    coalesce(outbox_append.resource_id, outbox_append.aggregate_id),
    outbox_append.business_key, outbox_append.request_id, outbox_append.correlation_id, outbox_append.traceparent,
    outbox_append.payload)
  RETURNING e.id
$$;

-- Writes an operation and the event that asks a worker for it. Its subject is the event's resource.
CREATE FUNCTION onceward.task_append(
  kind text,
  event_type text,
  aggregate_type text,
  aggregate_id text,
  payload json,
  payload_version integer DEFAULT 1,
  resource_type text DEFAULT NULL,
  resource_id text DEFAULT NULL,
  business_key text DEFAULT NULL,
  request_id text DEFAULT NULL,
  correlation_id text DEFAULT NULL,
  traceparent text DEFAULT NULL,
  max_attempts integer DEFAULT 8,
  event_id uuid DEFAULT NULL,
  operation_id uuid DEFAULT NULL)
RETURNS TABLE (new_operation_id uuid, new_event_id uuid)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
  new_operation_id := coalesce(task_append.operation_id, onceward.uuid_v7());
  new_event_id := onceward.outbox_append(
    event_type => task_append.event_type, aggregate_type => task_append.aggregate_type,
    aggregate_id => task_append.aggregate_id, payload => task_append.payload,
    payload_version => task_append.payload_version, resource_type => task_append.resource_type,
    resource_id => task_append.resource_id, business_key => task_append.business_key,
    request_id => task_append.request_id, correlation_id => task_append.correlation_id,
    traceparent => task_append.traceparent, event_id => task_append.event_id);
  INSERT INTO onceward.operations (id, workspace_id, kind, subject_type, subject_id, event_id, max_attempts)
  VALUES (new_operation_id, onceward.current_workspace(), task_append.kind,
    coalesce(task_append.resource_type, task_append.aggregate_type),
    coalesce(task_append.resource_id, task_append.aggregate_id), new_event_id, task_append.max_attempts);
  INSERT INTO onceward.operation_events (event_id, operation_id, workspace_id)
  VALUES (new_event_id, new_operation_id, onceward.current_workspace());
  RETURN NEXT;
END
$$;

GRANT EXECUTE ON FUNCTION onceward.require_workspace() TO onceward_app;
GRANT EXECUTE ON FUNCTION onceward.outbox_append(
  text, text, text, json, integer, text, text, text, text, text, text, uuid) TO onceward_app;
GRANT EXECUTE ON FUNCTION onceward.task_append(
  text, text, text, text, json, integer, text, text, text, text, text, text, integer, uuid, uuid) TO onceward_app;
