-- +goose Up
-- A picture of a product, made anew from the file it came from: JPEG, without what cameras write into theirs.
CREATE TABLE product_pictures (
    product_id TEXT NOT NULL PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
    version    TEXT NOT NULL,                                   -- of its bytes
    jpeg       BLOB NOT NULL CHECK (length(jpeg) <= 204800),
    small      BLOB NOT NULL CHECK (length(small) <= 16384) -- for lists
) STRICT;
