-- +goose Up
-- The journal's own tables. Package chain has what a record's hash covers; columns may
-- be added beside the hashed ones, the hashed ones never change.

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
    stream  TEXT PRIMARY KEY,
    seq     INTEGER NOT NULL,
    hash    BLOB NOT NULL,
    hour    INTEGER NOT NULL DEFAULT -1, -- the latest in which a record began, UTC hours since 1970
    indexed INTEGER NOT NULL DEFAULT 0,  -- the last record whose words and subjects can be found
    swept   INTEGER NOT NULL DEFAULT 0,  -- no key up to this record is left that has expired
    counted INTEGER NOT NULL DEFAULT 0   -- the last record that the roll-ups know
) STRICT, WITHOUT ROWID;

INSERT INTO audit_heads (stream, seq, hash) VALUES ('main', 0, zeroblob(32)), ('reads', 0, zeroblob(32));

-- Idempotency results. The key is 16 bytes that order it (those of a UUID of
-- version 7, else zeros) and the digest of its scope; result holds the unredacted
-- output, or NULL when a network step's outcome is unknown. rowid is seq.
CREATE TABLE audit_keys (
    key        BLOB NOT NULL UNIQUE,
    arguments  TEXT NOT NULL,
    request_id TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    result     BLOB,
    expires    INTEGER
) STRICT;

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

-- Roll-ups and indexes that queries use. Nothing here is hashed: all of it
-- follows from the records and their payloads.

-- Counts of records. In these three tables day is UTC days since 1970, -1 for all
-- days together, or -2 less UTC hours since 1970, from which the days of other
-- time zones are put together; capability is 0, and a text '', where the record
-- has none; code is '' for a success.
CREATE TABLE audit_counts (
    stream      TEXT NOT NULL,
    day         INTEGER NOT NULL,
    capability  INTEGER NOT NULL,
    caller_type TEXT NOT NULL,
    person      TEXT NOT NULL,
    side_effect TEXT NOT NULL,
    code        TEXT NOT NULL,
    calls       INTEGER NOT NULL,
    PRIMARY KEY (stream, day, capability, caller_type, person, side_effect, code)
) STRICT, WITHOUT ROWID;

-- How long calls took: bucket is the upper bound in ms of the class a call is in.
CREATE TABLE audit_durations (
    day         INTEGER NOT NULL,
    capability  INTEGER NOT NULL,
    caller_type TEXT NOT NULL,
    bucket      INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    PRIMARY KEY (day, capability, caller_type, bucket)
) STRICT, WITHOUT ROWID;

-- What people answered an agent, or 'grant', and how long they took.
CREATE TABLE audit_answers (
    day         INTEGER NOT NULL,
    capability  INTEGER NOT NULL,
    side_effect TEXT NOT NULL,
    answer      TEXT NOT NULL,
    bucket      INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    PRIMARY KEY (day, capability, side_effect, answer, bucket)
) STRICT, WITHOUT ROWID;

-- The first record of each hour (UTC hours since 1970): no record before it
-- began in that hour or later. A record that began in an hour before the newest
-- one is late.
CREATE TABLE audit_hours (
    stream TEXT NOT NULL,
    hour   INTEGER NOT NULL,
    first  INTEGER NOT NULL,
    PRIMARY KEY (stream, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_late (
    stream TEXT NOT NULL,
    seq    INTEGER NOT NULL,
    PRIMARY KEY (stream, seq)
) STRICT, WITHOUT ROWID;

-- The words of payloads. Filled some time after the records, see
-- docs/decisions/005-text-index.md; secure-delete, so that nothing of an erased
-- payload stays in a segment.
CREATE VIRTUAL TABLE audit_texts USING fts5 (text, content = '', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO audit_texts (audit_texts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE audit_read_texts USING fts5 (text, content = '', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO audit_read_texts (audit_read_texts, rank) VALUES ('secure-delete', 1);

-- What records are about: the ids in their arguments, data and facts.
CREATE TABLE audit_subjects (
    subject TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (subject, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_read_subjects (
    subject TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (subject, seq)
) STRICT, WITHOUT ROWID;

-- Only what is rare is indexed: the rest is found by walking the log.
CREATE INDEX audit_records_caller ON audit_records (caller_type) WHERE caller_type <> 'ui';
CREATE INDEX audit_records_risk ON audit_records (side_effect) WHERE side_effect <> 'pure' AND side_effect <> 'ui-only';
CREATE INDEX audit_records_failed ON audit_records (status) WHERE status <> 'success';
CREATE INDEX audit_reads_capability ON audit_reads (capability);
CREATE INDEX audit_reads_person ON audit_reads (person) WHERE person IS NOT NULL;

-- Records whose payload was erased, and the request that erased it.
CREATE TABLE audit_erasures (
    stream     TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    PRIMARY KEY (stream, seq)
) STRICT, WITHOUT ROWID;

-- Where each stream begins since its oldest segments were removed: the last
-- removed record and its hash, when (ms since 1970) and by which request.
CREATE TABLE audit_checkpoints (
    stream     TEXT PRIMARY KEY,
    seq        INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    time       INTEGER NOT NULL,
    request_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Each person's saved filters: filter is JSON, the filters of audit.search. saved
-- is ms since 1970.
CREATE TABLE audit_filters (
    id     INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    name   TEXT NOT NULL,
    filter TEXT NOT NULL,
    saved  INTEGER NOT NULL,
    UNIQUE (person, name)
) STRICT;

-- Where the file may still hold pieces of erased rows: in its pages from this one
-- on; 0 when only the write-ahead log has some. erasure changes with every
-- erasure. No row: nowhere.
CREATE TABLE audit_traces (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    erasure INTEGER NOT NULL,
    page    INTEGER NOT NULL
) STRICT;

-- Payloads that were erased, until their words and subjects are out of what is
-- searched, which takes longer than others should wait.
CREATE TABLE audit_forgotten (
    id     INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    seq    INTEGER NOT NULL,
    body   BLOB NOT NULL
) STRICT;

-- The buckets of rate limits, in nanoseconds since 1970: changed in the commit of the
-- record of the call that took a token.
CREATE TABLE audit_buckets (
    capability TEXT    NOT NULL PRIMARY KEY,
    full_at    INTEGER NOT NULL,
    used_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
