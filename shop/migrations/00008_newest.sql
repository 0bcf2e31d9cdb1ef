-- Lists of orders are read newest first from an index, however many there are, and
-- words are looked for in one, too.

-- +goose Up
DROP INDEX orders_by_time;
DROP INDEX orders_by_status;
DROP INDEX orders_by_customer;
CREATE INDEX orders_by_time ON orders (placed_at DESC, id, search_fold, status, customer_id);
CREATE INDEX orders_by_status ON orders (status, placed_at DESC, id);
CREATE INDEX orders_by_customer ON orders (customer_id, placed_at DESC, id);

-- +goose Down
DROP INDEX orders_by_customer;
DROP INDEX orders_by_status;
DROP INDEX orders_by_time;
CREATE INDEX orders_by_time ON orders (placed_at, id);
CREATE INDEX orders_by_customer ON orders (customer_id, placed_at);
CREATE INDEX orders_by_status ON orders (status, placed_at);
