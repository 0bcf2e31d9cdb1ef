-- +goose Up
-- Orders by their total, and by who took them.
CREATE INDEX orders_by_total ON orders (total, id);
CREATE INDEX orders_by_person ON orders (placed_by, placed_at DESC, id);

-- +goose Down
DROP INDEX orders_by_person;
DROP INDEX orders_by_total;
