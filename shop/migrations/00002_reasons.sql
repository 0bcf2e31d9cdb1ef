-- +goose Up
-- Why something comes back; '': not said.
ALTER TABLE order_requests ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE order_requests DROP COLUMN reason;
