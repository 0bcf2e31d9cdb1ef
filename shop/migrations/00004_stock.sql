-- +goose Up
ALTER TABLE variants ADD COLUMN reorder_level INTEGER CHECK (reorder_level >= 0); -- so many or fewer are few; NULL: not set
ALTER TABLE variants ADD COLUMN cost INTEGER CHECK (cost >= 0); -- of a piece when it was last bought; NULL: not known

-- Goods that are received are a reason of their own, and may say what a piece cost.
CREATE TABLE moved (
    id         TEXT    NOT NULL PRIMARY KEY,
    variant_id TEXT    NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    delta      INTEGER NOT NULL,
    reason     TEXT    NOT NULL CHECK (reason IN ('opening', 'sale', 'cancellation', 'adjustment', 'import', 'return',
        'exchange', 'received')),
    order_id   TEXT    NOT NULL DEFAULT '',
    person     TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    note       TEXT    NOT NULL DEFAULT '',
    cost       INTEGER CHECK (cost >= 0)
) STRICT;
INSERT INTO moved SELECT id, variant_id, delta, reason, order_id, person, at, note, NULL FROM stock_movements ORDER BY rowid;
DROP TABLE stock_movements;
ALTER TABLE moved RENAME TO stock_movements;
CREATE INDEX stock_movements_by_variant ON stock_movements (variant_id, at);
CREATE INDEX stock_movements_by_order ON stock_movements (order_id) WHERE order_id <> '';
