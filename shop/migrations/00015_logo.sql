-- +goose Up
-- The picture at the head of receipts, made anew from the file it came from, as the pictures of products are.
CREATE TABLE shop_logo (
    id      TEXT NOT NULL PRIMARY KEY CHECK (id = 'logo'),
    version TEXT NOT NULL, -- of its bytes
    jpeg    BLOB NOT NULL CHECK (length(jpeg) <= 204800)
) STRICT;
