-- +goose Up
-- The journal's own tables. What a record's hash covers is written down in
-- doc.go; a column may be added beside the hashed ones, never changed.

CREATE TABLE audit_capabilities (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE audit_records (
    seq               INTEGER PRIMARY KEY,
    time              INTEGER NOT NULL,
    kind              TEXT NOT NULL,
    request_id        TEXT NOT NULL,
    trace_id          TEXT,
    parent_request_id TEXT,
    conversation_id   TEXT,
    caller_type       TEXT,
    person            TEXT,
    capability        INTEGER,
    side_effect       TEXT,
    status            TEXT NOT NULL,
    code              TEXT,
    detail            TEXT NOT NULL,
    payload_digest    BLOB NOT NULL,
    prev              BLOB NOT NULL,
    hash              BLOB NOT NULL
) STRICT;

CREATE INDEX audit_records_request ON audit_records (request_id);
CREATE INDEX audit_records_capability ON audit_records (capability);
CREATE INDEX audit_records_trace ON audit_records (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX audit_records_parent ON audit_records (parent_request_id) WHERE parent_request_id IS NOT NULL;
CREATE INDEX audit_records_conversation ON audit_records (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX audit_records_person ON audit_records (person) WHERE person IS NOT NULL;
CREATE INDEX audit_records_code ON audit_records (code) WHERE code IS NOT NULL;
CREATE INDEX audit_records_kind ON audit_records (kind) WHERE kind <> 'invocation';

-- A payload may be deleted without breaking the chain: the record keeps its
-- salted digest.
CREATE TABLE audit_payloads (
    seq  INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- What people only looked at: a stream of its own, with its own retention.
CREATE TABLE audit_reads (
    seq               INTEGER PRIMARY KEY,
    time              INTEGER NOT NULL,
    kind              TEXT NOT NULL,
    request_id        TEXT NOT NULL,
    trace_id          TEXT,
    parent_request_id TEXT,
    conversation_id   TEXT,
    caller_type       TEXT,
    person            TEXT,
    capability        INTEGER,
    side_effect       TEXT,
    status            TEXT NOT NULL,
    code              TEXT,
    detail            TEXT NOT NULL,
    payload_digest    BLOB NOT NULL,
    prev              BLOB NOT NULL,
    hash              BLOB NOT NULL
) STRICT;

CREATE INDEX audit_reads_request ON audit_reads (request_id);
CREATE INDEX audit_reads_trace ON audit_reads (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX audit_reads_parent ON audit_reads (parent_request_id) WHERE parent_request_id IS NOT NULL;

CREATE TABLE audit_read_payloads (
    seq  INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- The last record of each stream: where the next one is chained on, and what a
-- cut-off tail is noticed by.
CREATE TABLE audit_heads (
    stream TEXT PRIMARY KEY,
    seq    INTEGER NOT NULL,
    hash   BLOB NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO audit_heads (stream, seq, hash) VALUES ('main', 0, zeroblob(32)), ('reads', 0, zeroblob(32));

-- Idempotency results. The key is a digest of its scope; result holds the
-- unredacted output, or NULL when a network step's outcome is unknown.
CREATE TABLE audit_keys (
    key        BLOB NOT NULL UNIQUE,
    arguments  TEXT NOT NULL,
    request_id TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    result     BLOB,
    expires    INTEGER
) STRICT;

CREATE INDEX audit_keys_expires ON audit_keys (expires) WHERE expires IS NOT NULL;

-- Network steps that were begun and are not finished: the record they become
-- if their process dies.
CREATE TABLE audit_inflight (
    request_id TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    started    INTEGER NOT NULL,
    entry      BLOB NOT NULL,
    key        BLOB UNIQUE,
    arguments  TEXT,
    expires    INTEGER
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE audit_inflight;
DROP TABLE audit_keys;
DROP TABLE audit_heads;
DROP TABLE audit_read_payloads;
DROP TABLE audit_reads;
DROP TABLE audit_payloads;
DROP TABLE audit_records;
DROP TABLE audit_capabilities;
