-- +goose Up
-- The Merkle tree over the hashes of the main stream's records (RFC 6962): tiles of 256 hashes. Level 0 holds
-- the leaves, a higher level the roots of the full tiles below it. A tile of level 0 is stored when it is full; of one
-- that is not, the leaves are stored whose records retention removed.
CREATE TABLE audit_tiles (
    level  INTEGER NOT NULL,
    tile   INTEGER NOT NULL,
    hashes BLOB    NOT NULL,
    PRIMARY KEY (level, tile)
) STRICT;

-- The tree begins after this record: of a log that lost its first records before it had a tree, the last of these.
ALTER TABLE audit_heads ADD COLUMN tree INTEGER NOT NULL DEFAULT 0;
UPDATE audit_heads SET tree = coalesce((SELECT seq FROM audit_checkpoints WHERE stream = 'main'), 0)
    WHERE stream = 'main';
