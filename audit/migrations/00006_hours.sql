-- +goose Up
-- Counts of single hours too, from which those of a day in another time zone than
-- UTC are put together: day is then -2 less the UTC hours since 1970. Records that
-- were removed before are in the counts of days only.
INSERT INTO audit_counts
SELECT stream, -2 - time / 3600000, coalesce(capability, 0), coalesce(caller_type, ''), coalesce(person, ''),
    coalesce(side_effect, ''), coalesce(code, ''), count(*)
FROM (SELECT 'main' AS stream, * FROM audit_records UNION ALL SELECT 'reads', * FROM audit_reads)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

CREATE TABLE audit_bounds (bound INTEGER PRIMARY KEY) STRICT;
INSERT INTO audit_bounds VALUES (0), (1), (2), (3), (4), (5), (6), (8), (1000000000);
INSERT INTO audit_bounds
WITH RECURSIVE powers (p) AS (SELECT 1 UNION ALL SELECT p * 10 FROM powers WHERE p < 10000000)
SELECT column1 * p FROM powers, (VALUES (10), (12), (15), (20), (25), (30), (40), (50), (60), (80));

INSERT INTO audit_durations
SELECT -2 - time / 3600000, coalesce(capability, 0), coalesce(caller_type, ''),
    (SELECT min(bound) FROM audit_bounds WHERE bound >= min(detail ->> '$.duration_ms', 1000000000)), count(*)
FROM (SELECT * FROM audit_records UNION ALL SELECT * FROM audit_reads)
WHERE detail ->> '$.replayed' IS NULL AND detail ->> '$.dry_run' IS NULL
GROUP BY 1, 2, 3, 4;

INSERT INTO audit_answers
SELECT hour, capability, side_effect, answer, (SELECT min(bound) FROM audit_bounds WHERE bound >= min(asked, 1000000000)), count(*)
FROM (SELECT -2 - time / 3600000 AS hour, coalesce(capability, 0) AS capability, coalesce(side_effect, '') AS side_effect,
        iif(detail ->> '$.decision.grant_id' IS NULL, detail ->> '$.decision.answer', 'grant') AS answer,
        coalesce(detail ->> '$.decision.asked_ms', 0) AS asked
    FROM (SELECT * FROM audit_records UNION ALL SELECT * FROM audit_reads) WHERE caller_type = 'agent')
WHERE answer IS NOT NULL
GROUP BY 1, 2, 3, 4, 5;

DROP TABLE audit_bounds;

-- +goose Down
DELETE FROM audit_counts WHERE day < -1;
DELETE FROM audit_durations WHERE day < -1;
DELETE FROM audit_answers WHERE day < -1;
