-- +goose Up
-- A key is now 16 bytes by which it lies among the others, and its digest. Those
-- of earlier programs are the digest alone; the index tells whether any are left.
CREATE INDEX audit_keys_short ON audit_keys (seq) WHERE length(key) = 32;

-- Expired keys are found in the order of the records: swept is the last one up to
-- which none is left. counted is the last record that the roll-ups know.
DROP INDEX audit_keys_expires;
ALTER TABLE audit_heads ADD COLUMN swept INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit_heads ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
UPDATE audit_heads SET counted = seq;

-- +goose Down
ALTER TABLE audit_heads DROP COLUMN counted;
ALTER TABLE audit_heads DROP COLUMN swept;
CREATE INDEX audit_keys_expires ON audit_keys (expires) WHERE expires IS NOT NULL;
DROP INDEX audit_keys_short;
UPDATE audit_keys SET key = substr(key, 17) WHERE length(key) = 48;
UPDATE audit_inflight SET key = substr(key, 17) WHERE length(key) = 48;
