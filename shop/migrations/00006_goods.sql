-- +goose Up
-- What the exports of other shops say of their goods.
ALTER TABLE variants ADD COLUMN compare_at INTEGER CHECK (compare_at >= 0);     -- price before a reduction; NULL: none
ALTER TABLE variants ADD COLUMN weight_grams INTEGER CHECK (weight_grams >= 0); -- NULL: not known
ALTER TABLE variants ADD COLUMN weight_unit TEXT NOT NULL DEFAULT ''            -- it is shown in; '': grams
    CHECK (weight_unit IN ('', 'g', 'kg', 'lb', 'oz'));
ALTER TABLE variants ADD COLUMN image TEXT NOT NULL DEFAULT '';                 -- address of a picture, never fetched
