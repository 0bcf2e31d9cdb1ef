-- +goose Up

-- An order that was brought in keeps the name that it had; that is what it is known by. Several variants may have one
-- SKU, as in the shops that they come from: who scans it chooses.
ALTER TABLE orders ADD COLUMN exported_name TEXT NOT NULL DEFAULT ''; -- '': it was placed here
CREATE UNIQUE INDEX orders_by_exported_name ON orders (exported_name COLLATE NOCASE) WHERE exported_name <> '';
DROP INDEX variants_by_sku;
CREATE INDEX variants_by_sku ON variants (sku) WHERE sku <> '';
