-- The order desk. Money is an integer of minor units in the shop's currency,
-- times are milliseconds since 1970, ids are text. Columns ending in _fold hold
-- search text: lower case, without accents, one space around every word.
-- No REPLACE, no virtual columns, no deferred keys, and no triggers but those that
-- keep tables derived_…: the journal reads what a call changed from the rows
-- themselves.

-- +goose Up
CREATE TABLE shop (
    id                 TEXT    NOT NULL PRIMARY KEY CHECK (id = 'shop'),
    name               TEXT    NOT NULL,
    currency           TEXT    NOT NULL CHECK (length(currency) = 3),
    time_zone          TEXT    NOT NULL,
    prices_include_tax INTEGER NOT NULL CHECK (prices_include_tax IN (0, 1)),
    discount_limit     INTEGER NOT NULL CHECK (discount_limit BETWEEN 0 AND 100), -- percent a clerk may give
    refund_limit       INTEGER NOT NULL CHECK (refund_limit >= 0),                -- what a clerk may refund at once
    set_up_at          INTEGER NOT NULL
) STRICT;

CREATE TABLE tax_classes (
    id       TEXT    NOT NULL PRIMARY KEY,
    name     TEXT    NOT NULL,
    rate_ppm INTEGER NOT NULL CHECK (rate_ppm BETWEEN 0 AND 1000000) -- parts per million: 8 % is 80000
) STRICT;

CREATE TABLE shipping_methods (
    id       TEXT    NOT NULL PRIMARY KEY,
    name     TEXT    NOT NULL,
    price    INTEGER NOT NULL CHECK (price >= 0),
    days     INTEGER NOT NULL CHECK (days >= 0), -- business days
    position INTEGER NOT NULL                    -- the first one is the default
) STRICT;

CREATE TABLE staff (
    id        TEXT NOT NULL PRIMARY KEY,
    name      TEXT NOT NULL,
    name_fold TEXT NOT NULL,
    role      TEXT NOT NULL CHECK (role IN ('clerk', 'manager', 'owner', 'auditor'))
) STRICT;

CREATE TABLE preferences (
    person TEXT NOT NULL,
    name   TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (person, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE products (
    id                 TEXT    NOT NULL PRIMARY KEY,
    handle             TEXT    NOT NULL UNIQUE,
    name               TEXT    NOT NULL,
    description        TEXT    NOT NULL DEFAULT '',
    vendor             TEXT    NOT NULL DEFAULT '',
    kind               TEXT    NOT NULL DEFAULT '',
    image              TEXT    NOT NULL DEFAULT '',
    option1            TEXT    NOT NULL DEFAULT '', -- names of up to three options; variants hold the values
    option2            TEXT    NOT NULL DEFAULT '',
    option3            TEXT    NOT NULL DEFAULT '',
    tax_class          TEXT    NOT NULL REFERENCES tax_classes (id),
    published          INTEGER NOT NULL CHECK (published IN (0, 1)),
    default_variant_id TEXT    NOT NULL DEFAULT '',
    name_fold          TEXT    NOT NULL,
    search_fold        TEXT    NOT NULL, -- name, vendor, kind, tags, SKUs, barcodes, options
    created_at         INTEGER NOT NULL
) STRICT;
CREATE INDEX products_by_name ON products (name_fold, id);

CREATE TABLE product_tags (
    product_id TEXT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    tag_fold   TEXT NOT NULL,
    tag        TEXT NOT NULL,
    PRIMARY KEY (product_id, tag_fold)
) STRICT, WITHOUT ROWID;
CREATE INDEX product_tags_by_tag ON product_tags (tag_fold);

CREATE TABLE variants (
    id         TEXT    NOT NULL PRIMARY KEY,
    product_id TEXT    NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    sku        TEXT    NOT NULL DEFAULT '' COLLATE NOCASE,
    barcode    TEXT    NOT NULL DEFAULT '',
    option1    TEXT    NOT NULL DEFAULT '',
    option2    TEXT    NOT NULL DEFAULT '',
    option3    TEXT    NOT NULL DEFAULT '',
    price      INTEGER NOT NULL CHECK (price >= 0),
    stock      INTEGER,          -- NULL: not counted
    backorder  INTEGER NOT NULL CHECK (backorder IN (0, 1)), -- may be sold below zero
    available  INTEGER NOT NULL CHECK (available IN (0, 1)), -- offered at all
    CHECK (stock IS NULL OR stock >= 0 OR backorder = 1)
) STRICT;
CREATE INDEX variants_by_product ON variants (product_id, position);
CREATE UNIQUE INDEX variants_by_sku ON variants (sku) WHERE sku <> '';
CREATE INDEX variants_by_barcode ON variants (barcode) WHERE barcode <> '';

-- The sum of a variant's movements is its stock.
CREATE TABLE stock_movements (
    id         TEXT    NOT NULL PRIMARY KEY,
    variant_id TEXT    NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    delta      INTEGER NOT NULL,
    reason     TEXT    NOT NULL CHECK (reason IN ('opening', 'sale', 'cancellation', 'adjustment', 'import', 'return', 'exchange')),
    order_id   TEXT    NOT NULL DEFAULT '',
    person     TEXT    NOT NULL,
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX stock_movements_by_variant ON stock_movements (variant_id, at);
CREATE INDEX stock_movements_by_order ON stock_movements (order_id) WHERE order_id <> '';

CREATE TABLE customers (
    id           TEXT    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL,
    email        TEXT    NOT NULL DEFAULT '' COLLATE NOCASE,
    phone        TEXT    NOT NULL DEFAULT '',
    phone_digits TEXT    NOT NULL DEFAULT '',
    name_fold    TEXT    NOT NULL,
    search_fold  TEXT    NOT NULL, -- name, email, phone
    created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX customers_by_name ON customers (name_fold, id);
CREATE INDEX customers_by_email ON customers (email) WHERE email <> '';

CREATE TABLE addresses (
    id          TEXT    NOT NULL PRIMARY KEY,
    customer_id TEXT    NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    label       TEXT    NOT NULL,
    line1       TEXT    NOT NULL,
    line2       TEXT    NOT NULL DEFAULT '',
    city        TEXT    NOT NULL,
    region      TEXT    NOT NULL DEFAULT '',
    postal_code TEXT    NOT NULL,
    postal_fold TEXT    NOT NULL,
    country     TEXT    NOT NULL,
    is_default  INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX addresses_by_customer ON addresses (customer_id, created_at);
CREATE INDEX addresses_by_postal_code ON addresses (postal_fold);

-- Never a card number: brand and last four digits only.
CREATE TABLE payment_methods (
    id          TEXT    NOT NULL PRIMARY KEY,
    customer_id TEXT    NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    kind        TEXT    NOT NULL CHECK (kind IN ('card', 'paypal', 'giftCard', 'onAccount')),
    brand       TEXT    NOT NULL DEFAULT '',
    last_four   TEXT    NOT NULL DEFAULT '',
    balance     INTEGER CHECK (balance >= 0), -- gift cards only
    is_default  INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    created_at  INTEGER NOT NULL,
    CHECK ((kind = 'giftCard') = (balance IS NOT NULL))
) STRICT;
CREATE INDEX payment_methods_by_customer ON payment_methods (customer_id, created_at);

CREATE TABLE carts (
    id                TEXT    NOT NULL PRIMARY KEY,
    customer_id       TEXT    REFERENCES customers (id) ON DELETE CASCADE, -- NULL: nobody chosen yet
    status            TEXT    NOT NULL CHECK (status IN ('open', 'held', 'submitted')),
    label             TEXT    NOT NULL DEFAULT '', -- of a held cart
    held_at           INTEGER NOT NULL DEFAULT 0,
    shipping_method   TEXT    NOT NULL DEFAULT '', -- '': the shop's first
    discount_percent  INTEGER NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100),
    discount_amount   INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
    discount_reason   TEXT    NOT NULL DEFAULT '',
    discount_unbounded INTEGER NOT NULL DEFAULT 0 CHECK (discount_unbounded IN (0, 1)), -- given by someone without a limit
    order_id          TEXT    NOT NULL DEFAULT '',
    created_at        INTEGER NOT NULL
) STRICT;
-- One open cart per customer.
CREATE UNIQUE INDEX carts_open_by_customer ON carts (customer_id) WHERE status = 'open' AND customer_id IS NOT NULL;
CREATE INDEX carts_held ON carts (held_at) WHERE status = 'held';

CREATE TABLE cart_lines (
    cart_id    TEXT    NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
    variant_id TEXT    NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    quantity   INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (cart_id, variant_id)
) STRICT, WITHOUT ROWID;

-- The cart a person has before them, in the window, the chat and the command line alike.
CREATE TABLE current_carts (
    person  TEXT NOT NULL PRIMARY KEY,
    cart_id TEXT NOT NULL REFERENCES carts (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- An order keeps what it was placed with: prices, names and the address as they were.
CREATE TABLE orders (
    id                 TEXT    NOT NULL PRIMARY KEY, -- '#W' and seven digits
    customer_id        TEXT    NOT NULL REFERENCES customers (id),
    status             TEXT    NOT NULL CHECK (status IN ('pending', 'processed', 'delivered', 'cancelled')),
    placed_at          INTEGER NOT NULL,
    placed_by          TEXT    NOT NULL,
    processed_at       INTEGER NOT NULL DEFAULT 0,
    delivered_at       INTEGER NOT NULL DEFAULT 0,
    cancelled_at       INTEGER NOT NULL DEFAULT 0,
    cancelled_by       TEXT    NOT NULL DEFAULT '',
    cancel_reason      TEXT    NOT NULL DEFAULT '',
    subtotal           INTEGER NOT NULL,
    discount           INTEGER NOT NULL,
    shipping           INTEGER NOT NULL,
    tax                INTEGER NOT NULL,
    total              INTEGER NOT NULL,
    tax_included       INTEGER NOT NULL CHECK (tax_included IN (0, 1)),
    discount_reason    TEXT    NOT NULL DEFAULT '',
    shipping_method    TEXT    NOT NULL,
    estimated_delivery TEXT    NOT NULL, -- a day in the shop's time zone
    gift_message       TEXT    NOT NULL DEFAULT '',
    address_id         TEXT    NOT NULL,
    address_label      TEXT    NOT NULL,
    line1              TEXT    NOT NULL,
    line2              TEXT    NOT NULL,
    city               TEXT    NOT NULL,
    region             TEXT    NOT NULL,
    postal_code        TEXT    NOT NULL,
    country            TEXT    NOT NULL,
    name_fold          TEXT    NOT NULL, -- number and customer
    search_fold        TEXT    NOT NULL, -- and the products
    CHECK (total = subtotal - discount + shipping + CASE tax_included WHEN 1 THEN 0 ELSE tax END)
) STRICT;
CREATE INDEX orders_by_time ON orders (placed_at, id);
CREATE INDEX orders_by_customer ON orders (customer_id, placed_at);
CREATE INDEX orders_by_status ON orders (status, placed_at);

CREATE TABLE order_lines (
    order_id   TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    line       INTEGER NOT NULL,
    product_id TEXT    NOT NULL,
    variant_id TEXT    NOT NULL,
    sku        TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    label      TEXT    NOT NULL, -- the variant's options as text
    quantity   INTEGER NOT NULL CHECK (quantity > 0),
    price      INTEGER NOT NULL,
    discount   INTEGER NOT NULL,
    tax        INTEGER NOT NULL,
    total      INTEGER NOT NULL, -- price × quantity, before discount and tax
    PRIMARY KEY (order_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_lines_by_variant ON order_lines (variant_id);

-- What was taken and given back, recorded; no money moves through the desk.
CREATE TABLE payments (
    id        TEXT    NOT NULL PRIMARY KEY,
    order_id  TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    kind      TEXT    NOT NULL CHECK (kind IN ('payment', 'refund')),
    method_id TEXT    NOT NULL, -- of the customer, or 'cash'
    label     TEXT    NOT NULL,
    amount    INTEGER NOT NULL CHECK (amount > 0),
    at        INTEGER NOT NULL
) STRICT;
CREATE INDEX payments_by_order ON payments (order_id, at);

CREATE TABLE fulfilments (
    id          TEXT    NOT NULL PRIMARY KEY,
    order_id    TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    tracking_id TEXT    NOT NULL DEFAULT '',
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX fulfilments_by_order ON fulfilments (order_id, at);

-- A return or an exchange: asked for first, received later.
CREATE TABLE order_requests (
    id           TEXT    NOT NULL PRIMARY KEY,
    order_id     TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    kind         TEXT    NOT NULL CHECK (kind IN ('return', 'exchange')),
    status       TEXT    NOT NULL CHECK (status IN ('requested', 'received')),
    requested_at INTEGER NOT NULL,
    received_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX order_requests_by_order ON order_requests (order_id, requested_at);

CREATE TABLE order_notes (
    id       TEXT    NOT NULL PRIMARY KEY,
    order_id TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    text     TEXT    NOT NULL,
    person   TEXT    NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
CREATE INDEX order_notes_by_order ON order_notes (order_id, at);

-- +goose Down
DROP TABLE order_notes;
DROP TABLE order_requests;
DROP TABLE fulfilments;
DROP TABLE payments;
DROP TABLE order_lines;
DROP TABLE orders;
DROP TABLE current_carts;
DROP TABLE cart_lines;
DROP TABLE carts;
DROP TABLE payment_methods;
DROP TABLE addresses;
DROP TABLE customers;
DROP TABLE stock_movements;
DROP TABLE variants;
DROP TABLE product_tags;
DROP TABLE products;
DROP TABLE preferences;
DROP TABLE staff;
DROP TABLE shipping_methods;
DROP TABLE tax_classes;
DROP TABLE shop;
