-- +goose Up

-- A JPEG ends with FF D9. SQLite does not notice when the last page of a long value is lost, unless a constraint fails.
-- A picture that was imported with more behind its end, or lost its end before it was looked for, keeps all it has.
CREATE TABLE whole_pictures (
    product_id TEXT NOT NULL PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
    version    TEXT NOT NULL,                                   -- of its bytes
    jpeg       BLOB NOT NULL CHECK (length(jpeg) <= 204800 AND substr(jpeg, -2) = x'ffd9'),
    small      BLOB NOT NULL CHECK (length(small) <= 16384 AND substr(small, -2) = x'ffd9') -- for lists
) STRICT;
INSERT INTO whole_pictures (product_id, version, jpeg, small)
    SELECT product_id, version, iif(substr(jpeg, -2) = x'ffd9', jpeg, CAST(jpeg || x'ffd9' AS BLOB)),
        iif(substr(small, -2) = x'ffd9', small, CAST(small || x'ffd9' AS BLOB))
    FROM product_pictures;
DROP TABLE product_pictures;
ALTER TABLE whole_pictures RENAME TO product_pictures;

CREATE TABLE whole_logo (
    id      TEXT NOT NULL PRIMARY KEY CHECK (id = 'logo'),
    version TEXT NOT NULL, -- of its bytes
    jpeg    BLOB NOT NULL CHECK (length(jpeg) <= 204800 AND substr(jpeg, -2) = x'ffd9')
) STRICT;
INSERT INTO whole_logo (id, version, jpeg)
    SELECT id, version, iif(substr(jpeg, -2) = x'ffd9', jpeg, CAST(jpeg || x'ffd9' AS BLOB)) FROM shop_logo;
DROP TABLE shop_logo;
ALTER TABLE whole_logo RENAME TO shop_logo;
