-- What a report adds up over any days is read from an index alone.

-- +goose Up
CREATE INDEX orders_by_sale ON orders (placed_at, status, id, subtotal, discount, tax, shipping, total);
-- When what came back was noted: a request is received once and never before it was made.
CREATE INDEX order_requests_by_time ON order_requests (max(requested_at, received_at), id, order_id);

-- +goose Down
DROP INDEX order_requests_by_time;
DROP INDEX orders_by_sale;
