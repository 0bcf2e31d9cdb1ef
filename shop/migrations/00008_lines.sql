-- +goose Up

-- A refund gives back a payment. '': of those that the same method paid, then of the others, the last first.
ALTER TABLE payments ADD COLUMN gives_back TEXT NOT NULL DEFAULT '';

-- A line has an id of its own: that of its variant, and another one where that is taken and of an open item, which has a
-- title, a price and no variant. Keys stay, since the log names rows by them: variant_id is the id of a line.
CREATE TABLE lines_with_ids (
    cart_id            TEXT    NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
    variant_id         TEXT    NOT NULL, -- the line's id
    position           INTEGER NOT NULL,
    quantity           INTEGER NOT NULL CHECK (quantity > 0),
    discount_percent   INTEGER NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100),
    discount_amount    INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
    discount_reason    TEXT    NOT NULL DEFAULT '',
    discount_unbounded INTEGER NOT NULL DEFAULT 0 CHECK (discount_unbounded IN (0, 1)),
    note               TEXT    NOT NULL DEFAULT '',
    sold               TEXT    REFERENCES variants (id) ON DELETE CASCADE, -- NULL: an open item, or the variant of the line's id
    title              TEXT    NOT NULL DEFAULT '', -- of an open item
    tax_class          TEXT    NOT NULL DEFAULT '', -- of an open item
    price              INTEGER CHECK (price >= 0), -- in place of the variant's; NULL: none
    price_reason       TEXT    NOT NULL DEFAULT '',
    price_unbounded    INTEGER NOT NULL DEFAULT 0 CHECK (price_unbounded IN (0, 1)), -- set by someone without a limit
    PRIMARY KEY (cart_id, variant_id)
) STRICT, WITHOUT ROWID;
INSERT INTO lines_with_ids (cart_id, variant_id, position, quantity, discount_percent, discount_amount, discount_reason,
        discount_unbounded, note, sold)
    SELECT cart_id, variant_id, position, quantity, discount_percent, discount_amount, discount_reason, discount_unbounded,
        note, variant_id FROM cart_lines;
DROP TABLE cart_lines;
ALTER TABLE lines_with_ids RENAME TO cart_lines;

-- An open item has the product and the variant ''. What discounts were is kept, so that an amount stays when items change.
ALTER TABLE order_lines ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE order_lines ADD COLUMN discount_percent INTEGER NOT NULL DEFAULT 0; -- of the line alone
ALTER TABLE order_lines ADD COLUMN discount_amount INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN discount_percent INTEGER NOT NULL DEFAULT 0; -- of all lines together
ALTER TABLE orders ADD COLUMN discount_amount INTEGER NOT NULL DEFAULT 0;
UPDATE order_lines SET id = variant_id || CASE n WHEN 1 THEN '' ELSE '.' || n END, discount_amount = discount
    FROM (SELECT order_id AS o, line AS l, ROW_NUMBER() OVER (PARTITION BY order_id, variant_id ORDER BY line) AS n
        FROM order_lines) AS numbered WHERE o = order_id AND l = line;

ALTER TABLE order_request_lines ADD COLUMN line_id TEXT NOT NULL DEFAULT ''; -- '': whichever of the variant
