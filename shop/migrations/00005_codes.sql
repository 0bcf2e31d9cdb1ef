-- +goose Up

-- A code is found whatever its case and white space: see shop/internal/code.
CREATE INDEX variants_by_sku_form ON variants (upper(replace(sku, ' ', ''))) WHERE sku <> '';
CREATE INDEX variants_by_barcode_form ON variants (upper(replace(barcode, ' ', ''))) WHERE barcode <> '';
DROP INDEX variants_by_barcode;
