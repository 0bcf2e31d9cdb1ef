-- +goose Up
-- What receipts say of the shop beside its name; '': nothing.
ALTER TABLE shop ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE shop ADD COLUMN phone TEXT NOT NULL DEFAULT '';
ALTER TABLE shop ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE shop ADD COLUMN tax_number TEXT NOT NULL DEFAULT '';
ALTER TABLE shop ADD COLUMN footer TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE shop DROP COLUMN footer;
ALTER TABLE shop DROP COLUMN tax_number;
ALTER TABLE shop DROP COLUMN email;
ALTER TABLE shop DROP COLUMN phone;
ALTER TABLE shop DROP COLUMN address;
