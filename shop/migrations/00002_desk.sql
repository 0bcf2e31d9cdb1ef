-- What may happen to an order, a customer and a product after they were made.

-- +goose Up
-- A new value with every change of an order, so that an older change cannot be
-- taken back behind a later one.
ALTER TABLE orders ADD COLUMN revision TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN items_changed_at INTEGER NOT NULL DEFAULT 0; -- 0: never

-- The request by which the pieces of a line came back; '': the customer has them.
ALTER TABLE order_lines ADD COLUMN returned_by TEXT NOT NULL DEFAULT '';

ALTER TABLE payments ADD COLUMN tendered INTEGER NOT NULL DEFAULT 0; -- cash handed over; 0: not said

ALTER TABLE payment_methods ADD COLUMN last_used_at INTEGER NOT NULL DEFAULT 0; -- 0: never

ALTER TABLE stock_movements ADD COLUMN note TEXT NOT NULL DEFAULT '';

ALTER TABLE customers ADD COLUMN erased_at INTEGER NOT NULL DEFAULT 0; -- 0: not; such a customer only stands in old orders

-- The method that a return is refunded to, or that settles an exchange, and how
-- much: positive is charged, negative refunded.
ALTER TABLE order_requests ADD COLUMN method_id TEXT NOT NULL DEFAULT '';
ALTER TABLE order_requests ADD COLUMN method_label TEXT NOT NULL DEFAULT '';
ALTER TABLE order_requests ADD COLUMN amount INTEGER NOT NULL DEFAULT 0;
ALTER TABLE order_requests ADD COLUMN restocked INTEGER NOT NULL DEFAULT 0 CHECK (restocked IN (0, 1));
ALTER TABLE order_requests ADD COLUMN person TEXT NOT NULL DEFAULT '';
-- One at a time.
CREATE UNIQUE INDEX order_requests_open ON order_requests (order_id) WHERE status = 'requested';

-- The new variant of an exchange is taken from stock and priced when it is asked for.
CREATE TABLE order_request_lines (
    request_id     TEXT    NOT NULL REFERENCES order_requests (id) ON DELETE CASCADE,
    position       INTEGER NOT NULL,
    variant_id     TEXT    NOT NULL,
    quantity       INTEGER NOT NULL CHECK (quantity > 0),
    new_variant_id TEXT    NOT NULL DEFAULT '', -- '': a return
    new_price      INTEGER NOT NULL DEFAULT 0,
    new_rate_ppm   INTEGER NOT NULL DEFAULT 0, -- tax
    received       INTEGER NOT NULL DEFAULT 0, -- pieces
    PRIMARY KEY (request_id, position)
) STRICT, WITHOUT ROWID;

-- What was in a parcel; one without lines held everything.
CREATE TABLE fulfilment_lines (
    fulfilment_id TEXT NOT NULL REFERENCES fulfilments (id) ON DELETE CASCADE,
    variant_id    TEXT NOT NULL,
    PRIMARY KEY (fulfilment_id, variant_id)
) STRICT, WITHOUT ROWID;

-- What was changed about an order and leaves no other trace, in a sentence.
CREATE TABLE order_changes (
    id       TEXT    NOT NULL PRIMARY KEY,
    order_id TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    text     TEXT    NOT NULL,
    person   TEXT    NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
CREATE INDEX order_changes_by_order ON order_changes (order_id, at);

CREATE TABLE price_changes (
    id         TEXT    NOT NULL PRIMARY KEY,
    variant_id TEXT    NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    price_was  INTEGER NOT NULL,
    price      INTEGER NOT NULL,
    person     TEXT    NOT NULL,
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX price_changes_by_variant ON price_changes (variant_id, at);

-- +goose Down
DROP TABLE price_changes;
DROP TABLE order_changes;
DROP TABLE fulfilment_lines;
DROP TABLE order_request_lines;
DROP INDEX order_requests_open;
ALTER TABLE order_requests DROP COLUMN person;
ALTER TABLE order_requests DROP COLUMN restocked;
ALTER TABLE order_requests DROP COLUMN amount;
ALTER TABLE order_requests DROP COLUMN method_label;
ALTER TABLE order_requests DROP COLUMN method_id;
ALTER TABLE customers DROP COLUMN erased_at;
ALTER TABLE stock_movements DROP COLUMN note;
ALTER TABLE payment_methods DROP COLUMN last_used_at;
ALTER TABLE payments DROP COLUMN tendered;
ALTER TABLE order_lines DROP COLUMN returned_by;
ALTER TABLE orders DROP COLUMN items_changed_at;
ALTER TABLE orders DROP COLUMN revision;
