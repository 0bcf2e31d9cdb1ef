-- +goose Up

-- The book of receipts is only added to: each sale and each later change of money or tax writes one. Amounts are what the
-- call changed; what came back is negative. A payment may lose method and label when a person is erased.
CREATE TABLE receipts (
    number       TEXT    NOT NULL PRIMARY KEY, -- of the year in the shop's time zone: '2026-000123'
    series_year  INTEGER NOT NULL,
    count        INTEGER NOT NULL CHECK (count > 0),
    follows      INTEGER NOT NULL CHECK (follows < count), -- the count before; less by more than 1: others were given in a
                                                           -- file that an older one has replaced
    order_id     TEXT    NOT NULL,
    refers_to    TEXT    NOT NULL DEFAULT '', -- the receipt that this one changes; '': none
    desk         TEXT    NOT NULL,            -- 'Main', or the name of a till
    cashier      TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    tax_included INTEGER NOT NULL CHECK (tax_included IN (0, 1)),
    total        INTEGER NOT NULL, -- lines and shipping, with tax
    shipping     INTEGER NOT NULL, -- with tax
    rounding     INTEGER NOT NULL, -- of cash: what was paid more than the total
    sales        INTEGER NOT NULL CHECK (sales >= 0),   -- the parts of the total that became more…
    returns      INTEGER NOT NULL CHECK (returns >= 0), -- …and those that became less
    UNIQUE (series_year, count),
    CHECK (total = sales - returns)
) STRICT;
CREATE INDEX receipts_by_order ON receipts (order_id, at);
CREATE INDEX receipts_by_desk ON receipts (desk, series_year, count);
CREATE INDEX receipts_by_time ON receipts (at);

CREATE TABLE receipt_lines (
    number       TEXT    NOT NULL REFERENCES receipts (number),
    line         INTEGER NOT NULL,
    line_id      TEXT    NOT NULL,
    variant_id   TEXT    NOT NULL, -- '': an open item
    sku          TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    label        TEXT    NOT NULL,
    quantity     INTEGER NOT NULL,
    price        INTEGER NOT NULL, -- of a piece
    rate_ppm     INTEGER NOT NULL,
    total        INTEGER NOT NULL, -- before discount and tax
    discount     INTEGER NOT NULL,
    discount_tax INTEGER NOT NULL,
    tax          INTEGER NOT NULL,
    PRIMARY KEY (number, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt_rates (
    number   TEXT    NOT NULL REFERENCES receipts (number),
    rate_ppm INTEGER NOT NULL,
    net      INTEGER NOT NULL, -- of lines and shipping
    tax      INTEGER NOT NULL,
    PRIMARY KEY (number, rate_ppm)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt_payments (
    number    TEXT    NOT NULL REFERENCES receipts (number),
    position  INTEGER NOT NULL,
    method_id TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('cash', 'card', 'transfer', 'other', 'paypal', 'giftCard', 'onAccount', 'erased')),
    label     TEXT    NOT NULL,
    amount    INTEGER NOT NULL,           -- given back: negative
    tendered  INTEGER NOT NULL DEFAULT 0, -- cash handed over; 0: not said
    PRIMARY KEY (number, position)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER receipts_stay BEFORE UPDATE ON receipts BEGIN
    SELECT RAISE(ABORT, 'a receipt is not changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER receipt_lines_stay BEFORE UPDATE ON receipt_lines BEGIN
    SELECT RAISE(ABORT, 'a receipt is not changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER receipt_rates_stay BEFORE UPDATE ON receipt_rates BEGIN
    SELECT RAISE(ABORT, 'a receipt is not changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER receipt_payments_stay BEFORE UPDATE ON receipt_payments WHEN NEW.label <> 'Erased'
    OR (NEW.number, NEW.position, NEW.kind, NEW.amount, NEW.tendered) <> (OLD.number, OLD.position, OLD.kind, OLD.amount, OLD.tendered) BEGIN
    SELECT RAISE(ABORT, 'a receipt is not changed');
END;
-- +goose StatementEnd
