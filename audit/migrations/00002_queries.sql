-- +goose Up
-- What the log is asked by. Nothing here is hashed: all of it follows from the
-- records and their payloads.

-- Counts, kept in the commit of the records they count. In these three tables
-- day is UTC days since 1970, -1 for all days together; capability is 0, and a
-- text '', where the record has none; code is '' for a success.
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

-- hour is the newest there is; indexed the last record whose words and subjects
-- can be found.
ALTER TABLE audit_heads ADD COLUMN hour INTEGER NOT NULL DEFAULT -1;
ALTER TABLE audit_heads ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;

-- The words of payloads. Filled some time after the records, see
-- docs/decisions/005-text-index.md; secure-delete, so that nothing of an erased
-- payload stays in a segment.
CREATE VIRTUAL TABLE audit_texts USING fts5 (text, content = '', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO audit_texts (audit_texts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE audit_read_texts USING fts5 (text, content = '', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO audit_read_texts (audit_read_texts, rank) VALUES ('secure-delete', 1);

-- What records are about: ids of customers, orders and the like.
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

-- The same for the records of an earlier program.
INSERT INTO audit_counts
SELECT stream, time / 86400000, coalesce(capability, 0), coalesce(caller_type, ''), coalesce(person, ''),
    coalesce(side_effect, ''), coalesce(code, ''), count(*)
FROM (SELECT 'main' AS stream, * FROM audit_records UNION ALL SELECT 'reads', * FROM audit_reads)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

CREATE TABLE audit_bounds (bound INTEGER PRIMARY KEY) STRICT;
INSERT INTO audit_bounds VALUES (0), (1), (2), (3), (4), (5), (6), (8), (1000000000);
INSERT INTO audit_bounds
WITH RECURSIVE powers (p) AS (SELECT 1 UNION ALL SELECT p * 10 FROM powers WHERE p < 10000000)
SELECT column1 * p FROM powers, (VALUES (10), (12), (15), (20), (25), (30), (40), (50), (60), (80));

INSERT INTO audit_durations
SELECT time / 86400000, coalesce(capability, 0), coalesce(caller_type, ''),
    (SELECT min(bound) FROM audit_bounds WHERE bound >= min(detail ->> '$.duration_ms', 1000000000)), count(*)
FROM (SELECT * FROM audit_records UNION ALL SELECT * FROM audit_reads)
WHERE detail ->> '$.replayed' IS NULL AND detail ->> '$.dry_run' IS NULL
GROUP BY 1, 2, 3, 4;

INSERT INTO audit_answers
SELECT day, capability, side_effect, answer, (SELECT min(bound) FROM audit_bounds WHERE bound >= min(asked, 1000000000)), count(*)
FROM (SELECT time / 86400000 AS day, coalesce(capability, 0) AS capability, coalesce(side_effect, '') AS side_effect,
        iif(detail ->> '$.decision.grant_id' IS NULL, detail ->> '$.decision.answer', 'grant') AS answer,
        coalesce(detail ->> '$.decision.asked_ms', 0) AS asked
    FROM (SELECT * FROM audit_records UNION ALL SELECT * FROM audit_reads) WHERE caller_type = 'agent')
WHERE answer IS NOT NULL
GROUP BY 1, 2, 3, 4, 5;

DROP TABLE audit_bounds;

INSERT INTO audit_counts
SELECT stream, -1, capability, caller_type, person, side_effect, code, sum(calls) FROM audit_counts GROUP BY 1, 3, 4, 5, 6, 7;
INSERT INTO audit_durations
SELECT -1, capability, caller_type, bucket, sum(calls) FROM audit_durations GROUP BY 2, 3, 4;
INSERT INTO audit_answers
SELECT -1, capability, side_effect, answer, bucket, sum(calls) FROM audit_answers GROUP BY 2, 3, 4, 5;

INSERT INTO audit_hours
SELECT stream, newest, min(seq) FROM (
    SELECT 'main' AS stream, seq, max(time / 3600000) OVER (ORDER BY seq) AS newest FROM audit_records
    UNION ALL SELECT 'reads', seq, max(time / 3600000) OVER (ORDER BY seq) FROM audit_reads)
GROUP BY 1, 2;

INSERT INTO audit_late
SELECT stream, seq FROM (
    SELECT 'main' AS stream, seq, time / 3600000 AS hour, max(time / 3600000) OVER (ORDER BY seq) AS newest FROM audit_records
    UNION ALL SELECT 'reads', seq, time / 3600000, max(time / 3600000) OVER (ORDER BY seq) FROM audit_reads)
WHERE hour < newest;

UPDATE audit_heads SET hour = coalesce((SELECT max(h.hour) FROM audit_hours h WHERE h.stream = audit_heads.stream), -1);

-- +goose Down
DROP INDEX audit_reads_person;
DROP INDEX audit_reads_capability;
DROP INDEX audit_records_failed;
DROP INDEX audit_records_risk;
DROP INDEX audit_records_caller;
DROP TABLE audit_read_subjects;
DROP TABLE audit_subjects;
DROP TABLE audit_read_texts;
DROP TABLE audit_texts;
ALTER TABLE audit_heads DROP COLUMN indexed;
ALTER TABLE audit_heads DROP COLUMN hour;
DROP TABLE audit_late;
DROP TABLE audit_hours;
DROP TABLE audit_answers;
DROP TABLE audit_durations;
DROP TABLE audit_counts;
