-- +goose Up

-- Cash that was put into the drawer of a desk or taken out of it.
CREATE TABLE cash_moves (
    id      TEXT    NOT NULL PRIMARY KEY,
    desk    TEXT    NOT NULL, -- 'Main', or the name of a till
    amount  INTEGER NOT NULL CHECK (amount <> 0), -- taken out: negative
    reason  TEXT    NOT NULL,
    person  TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    closing INTEGER NOT NULL DEFAULT 0 -- the one that took it; 0: none yet
) STRICT;
CREATE INDEX cash_moves_by_closing ON cash_moves (desk, closing, at);

-- The end of a day at a desk, with the sums of the receipts since the one before.
CREATE TABLE closings (
    desk             TEXT    NOT NULL,
    number           INTEGER NOT NULL,
    at               INTEGER NOT NULL,
    person           TEXT    NOT NULL,
    cash_before      INTEGER NOT NULL, -- counted at the closing before
    cash_in          INTEGER NOT NULL,
    cash_out         INTEGER NOT NULL,
    moved            INTEGER NOT NULL,
    expected         INTEGER NOT NULL,
    counted          INTEGER NOT NULL,
    note             TEXT    NOT NULL,
    rounding         INTEGER NOT NULL,
    sales            INTEGER NOT NULL CHECK (sales >= 0),
    returns          INTEGER NOT NULL CHECK (returns >= 0),
    lifetime_sales   INTEGER NOT NULL,
    lifetime_returns INTEGER NOT NULL,
    head_seq         INTEGER NOT NULL, -- the last record of the log that was committed before
    head_hash        TEXT    NOT NULL,
    in_doubt         INTEGER NOT NULL CHECK (in_doubt IN (0, 1)), -- numbers of receipts may have been given twice
    PRIMARY KEY (desk, number),
    CHECK (expected = cash_before + cash_in - cash_out + moved)
) STRICT;
CREATE INDEX closings_by_time ON closings (at);

CREATE TABLE closing_methods (
    desk     TEXT    NOT NULL,
    closing  INTEGER NOT NULL,
    kind     TEXT    NOT NULL, -- as receipt_payments has it
    paid     INTEGER NOT NULL,
    refunded INTEGER NOT NULL,
    PRIMARY KEY (desk, closing, kind)
) STRICT;

CREATE TABLE closing_rates (
    desk     TEXT    NOT NULL,
    closing  INTEGER NOT NULL,
    rate_ppm INTEGER NOT NULL,
    net      INTEGER NOT NULL,
    tax      INTEGER NOT NULL,
    PRIMARY KEY (desk, closing, rate_ppm)
) STRICT;

-- The receipts of a desk that a closing took: those of a year from one number to another.
CREATE TABLE closing_receipts (
    desk        TEXT    NOT NULL,
    closing     INTEGER NOT NULL,
    series_year INTEGER NOT NULL,
    first       INTEGER NOT NULL,
    last        INTEGER NOT NULL,
    receipts    INTEGER NOT NULL, -- other desks may have some between the two
    PRIMARY KEY (desk, closing, series_year)
) STRICT;
CREATE INDEX closing_receipts_by_year ON closing_receipts (desk, series_year, last);
