-- The journal's own tables. Open runs this; it may run again. Two programs that open a new database take turns.
SELECT pg_advisory_xact_lock(hashtext('journal'));

CREATE SEQUENCE IF NOT EXISTS journal_programs MAXVALUE 2147483647 CYCLE;

CREATE TABLE IF NOT EXISTS journal_records (
    seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    record     json NOT NULL, -- bus.Record; json keeps every byte, jsonb would not
    head       jsonb NOT NULL, -- the same without the JSON of others: what is found by
    reads      boolean NOT NULL DEFAULT false, -- what a person only looked at
    request_id text NOT NULL GENERATED ALWAYS AS (head ->> 'request_id') STORED,
    trace_id   text NOT NULL GENERATED ALWAYS AS (head ->> 'trace_id') STORED,
    parent_id  text GENERATED ALWAYS AS (head ->> 'parent_request_id') STORED
);
CREATE INDEX IF NOT EXISTS journal_records_request ON journal_records (request_id);
CREATE INDEX IF NOT EXISTS journal_records_trace ON journal_records (trace_id);
CREATE INDEX IF NOT EXISTS journal_records_parent ON journal_records (parent_id);

CREATE TABLE IF NOT EXISTS journal_keys (
    name       text PRIMARY KEY,
    arguments  text NOT NULL,
    request_id text NOT NULL,
    result     json, -- NULL: nobody knows the outcome
    expires    timestamptz
);

CREATE TABLE IF NOT EXISTS journal_inflight (
    request_id text PRIMARY KEY,
    program    int NOT NULL, -- holds an advisory lock of this number as long as it lives
    record     json NOT NULL, -- what it becomes if its program dies
    head       jsonb NOT NULL,
    name       text UNIQUE, -- of the key
    arguments  text,
    expires    timestamptz
);

-- A table of the domain gets its rows into the records by
--   CREATE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON notes
--       FOR EACH ROW EXECUTE FUNCTION journal_effect('id');  -- the columns of the primary key
-- The rows wait in a temporary table, which only the connections of a journal have: nothing else can change the table.
CREATE OR REPLACE FUNCTION journal_effect() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was jsonb := to_jsonb(OLD);
    now jsonb := to_jsonb(NEW);
    old_key jsonb := (SELECT jsonb_object_agg(c, was -> c) FROM unnest(TG_ARGV) c);
    new_key jsonb := (SELECT jsonb_object_agg(c, now -> c) FROM unnest(TG_ARGV) c);
BEGIN
    IF was IS NOT NULL AND now IS NOT NULL AND old_key = new_key THEN
        INSERT INTO pg_temp.journal_effects (tab, key, before, after) VALUES (TG_TABLE_NAME, new_key, was, now);
        RETURN NULL;
    END IF;
    INSERT INTO pg_temp.journal_effects (tab, key, before) SELECT TG_TABLE_NAME, old_key, was WHERE was IS NOT NULL;
    INSERT INTO pg_temp.journal_effects (tab, key, after) SELECT TG_TABLE_NAME, new_key, now WHERE now IS NOT NULL;
    RETURN NULL;
END $$;

-- The rows that the transaction has changed so far, each once, as bus.Effect in JSON.
CREATE OR REPLACE FUNCTION journal_effects() RETURNS json LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT coalesce(json_agg(json_build_object('table', tab, 'key', key,
            'op', CASE WHEN before IS NULL THEN 'insert' WHEN after IS NULL THEN 'delete' ELSE 'update' END,
            'before', (SELECT jsonb_object_agg(k, v) FROM jsonb_each(before) AS c (k, v) WHERE after -> k IS DISTINCT FROM v),
            'after', (SELECT jsonb_object_agg(k, v) FROM jsonb_each(after) AS c (k, v) WHERE before -> k IS DISTINCT FROM v))
            ORDER BY tab, key), '[]')
        FROM (SELECT tab, key, (array_agg(before ORDER BY seq))[1] AS before, (array_agg(after ORDER BY seq DESC))[1] AS after
            FROM pg_temp.journal_effects GROUP BY tab, key) AS changed
        WHERE before IS DISTINCT FROM after);
END $$;

-- A number for this program, whose lock the connection holds as long as it lives.
CREATE OR REPLACE FUNCTION journal_program() RETURNS int LANGUAGE plpgsql AS $$
DECLARE program int := nextval('journal_programs');
BEGIN
    PERFORM pg_advisory_lock('journal_programs'::regclass::int, program);
    RETURN program;
END $$;

-- Whether the program of that number still holds its lock.
CREATE OR REPLACE FUNCTION journal_lives(number int) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND objid = number::oid
        AND classid = 'journal_programs'::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()));
$$;

-- The network steps of programs that died.
CREATE OR REPLACE VIEW journal_dead AS SELECT * FROM journal_inflight WHERE NOT journal_lives(program);

CREATE OR REPLACE FUNCTION journal_recover() RETURNS void LANGUAGE sql AS $$
    WITH gone AS (DELETE FROM journal_inflight WHERE request_id IN (SELECT request_id FROM journal_dead) RETURNING *),
        recorded AS (INSERT INTO journal_records (record, head) SELECT record, head FROM gone)
    INSERT INTO journal_keys (name, arguments, request_id, expires)
        SELECT name, arguments, request_id, expires FROM gone WHERE name IS NOT NULL
        ON CONFLICT (name) DO UPDATE SET arguments = excluded.arguments, request_id = excluded.request_id, result = NULL,
            expires = excluded.expires;
$$;
