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
    set_up_at          INTEGER NOT NULL,
    locale             TEXT    NOT NULL DEFAULT 'en-US', -- BCP 47
    -- What receipts say of the shop beside its name; '': nothing.
    address            TEXT    NOT NULL DEFAULT '',
    phone              TEXT    NOT NULL DEFAULT '',
    email              TEXT    NOT NULL DEFAULT '',
    tax_number         TEXT    NOT NULL DEFAULT '',
    footer             TEXT    NOT NULL DEFAULT '',
    country            TEXT    NOT NULL DEFAULT '' -- ISO 3166: new addresses begin with it; '': not said
) STRICT;

-- The picture at the head of receipts, made anew from the file it came from, as the pictures of products are.
CREATE TABLE shop_logo (
    id      TEXT NOT NULL PRIMARY KEY CHECK (id = 'logo'),
    version TEXT NOT NULL, -- of its bytes
    jpeg    BLOB NOT NULL CHECK (length(jpeg) <= 204800)
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
    id          TEXT    NOT NULL PRIMARY KEY,
    name        TEXT    NOT NULL,
    name_fold   TEXT    NOT NULL,
    role        TEXT    NOT NULL CHECK (role IN ('clerk', 'manager', 'owner', 'auditor')),
    without_pin INTEGER NOT NULL DEFAULT 1 CHECK (without_pin IN (0, 1)) -- may sign in while there is no PIN
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

-- A picture of a product, made anew from the file it came from: JPEG, without what cameras write into theirs.
CREATE TABLE product_pictures (
    product_id TEXT NOT NULL PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
    version    TEXT NOT NULL,                                   -- of its bytes
    jpeg       BLOB NOT NULL CHECK (length(jpeg) <= 204800),
    small      BLOB NOT NULL CHECK (length(small) <= 16384) -- for lists
) STRICT;

CREATE TABLE product_tags (
    product_id TEXT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    tag_fold   TEXT NOT NULL,
    tag        TEXT NOT NULL,
    PRIMARY KEY (product_id, tag_fold)
) STRICT, WITHOUT ROWID;
CREATE INDEX product_tags_by_tag ON product_tags (tag_fold);

CREATE TABLE variants (
    id            TEXT    NOT NULL PRIMARY KEY,
    product_id    TEXT    NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    sku           TEXT    NOT NULL DEFAULT '' COLLATE NOCASE,
    barcode       TEXT    NOT NULL DEFAULT '',
    option1       TEXT    NOT NULL DEFAULT '',
    option2       TEXT    NOT NULL DEFAULT '',
    option3       TEXT    NOT NULL DEFAULT '',
    price         INTEGER NOT NULL CHECK (price >= 0),
    stock         INTEGER,          -- NULL: not counted
    backorder     INTEGER NOT NULL CHECK (backorder IN (0, 1)), -- may be sold below zero
    available     INTEGER NOT NULL CHECK (available IN (0, 1)), -- offered at all
    reorder_level INTEGER CHECK (reorder_level >= 0),           -- so many or fewer are few; NULL: not set
    cost          INTEGER CHECK (cost >= 0),                    -- of a piece when it was last bought; NULL: not known
    -- What the exports of other shops say of their goods.
    compare_at    INTEGER CHECK (compare_at >= 0),              -- price before a reduction; NULL: none
    weight_grams  INTEGER CHECK (weight_grams >= 0),            -- NULL: not known
    weight_unit   TEXT    NOT NULL DEFAULT '' CHECK (weight_unit IN ('', 'g', 'kg', 'lb', 'oz')), -- it is shown in; '': grams
    image         TEXT    NOT NULL DEFAULT '',                  -- address of a picture, never fetched
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
    reason     TEXT    NOT NULL CHECK (reason IN ('opening', 'sale', 'cancellation', 'adjustment', 'import', 'return',
        'exchange', 'received')),
    order_id   TEXT    NOT NULL DEFAULT '',
    person     TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    note       TEXT    NOT NULL DEFAULT '',
    cost       INTEGER CHECK (cost >= 0) -- of a piece that was received; NULL: not said
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
    created_at   INTEGER NOT NULL,
    erased_at    INTEGER NOT NULL DEFAULT 0 -- 0: not; such a customer only stands in old orders
) STRICT;
CREATE INDEX customers_by_name ON customers (name_fold, id);
CREATE INDEX customers_by_email ON customers (email) WHERE email <> '';

CREATE TABLE customer_notes (
    id          TEXT    NOT NULL PRIMARY KEY,
    customer_id TEXT    NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    text        TEXT    NOT NULL,
    person      TEXT    NOT NULL,
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX customer_notes_by_customer ON customer_notes (customer_id, at);

-- Records that became a part of another customer's. What they were known by is kept, so that an erasure finds them too.
CREATE TABLE merged_customers (
    id          TEXT    NOT NULL PRIMARY KEY, -- of the record that is gone
    customer_id TEXT    NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    email       TEXT    NOT NULL DEFAULT '',
    phone       TEXT    NOT NULL DEFAULT '',
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX merged_customers_by_customer ON merged_customers (customer_id);

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
    id           TEXT    NOT NULL PRIMARY KEY,
    customer_id  TEXT    NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    kind         TEXT    NOT NULL CHECK (kind IN ('card', 'paypal', 'giftCard', 'onAccount')),
    brand        TEXT    NOT NULL DEFAULT '',
    last_four    TEXT    NOT NULL DEFAULT '',
    balance      INTEGER CHECK (balance >= 0), -- gift cards only
    is_default   INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL DEFAULT 0, -- 0: never
    CHECK ((kind = 'giftCard') = (balance IS NOT NULL))
) STRICT;
CREATE INDEX payment_methods_by_customer ON payment_methods (customer_id, created_at);

CREATE TABLE carts (
    id                 TEXT    NOT NULL PRIMARY KEY,
    customer_id        TEXT    REFERENCES customers (id) ON DELETE CASCADE, -- NULL: nobody chosen yet
    status             TEXT    NOT NULL CHECK (status IN ('open', 'held', 'submitted')),
    label              TEXT    NOT NULL DEFAULT '', -- of a held cart
    held_at            INTEGER NOT NULL DEFAULT 0,
    shipping_method    TEXT    NOT NULL DEFAULT '', -- '': the shop's first
    discount_percent   INTEGER NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100),
    discount_amount    INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
    discount_reason    TEXT    NOT NULL DEFAULT '',
    discount_unbounded INTEGER NOT NULL DEFAULT 0 CHECK (discount_unbounded IN (0, 1)), -- given by someone without a limit
    order_id           TEXT    NOT NULL DEFAULT '',
    created_at         INTEGER NOT NULL,
    -- '': not said; a customer's cart is delivered then, and a walk-in's taken along.
    fulfilment         TEXT    NOT NULL DEFAULT '' CHECK (fulfilment IN ('', 'takeAway', 'pickUp', 'deliver')),
    note               TEXT    NOT NULL DEFAULT ''
) STRICT;
-- One open cart per customer.
CREATE UNIQUE INDEX carts_open_by_customer ON carts (customer_id) WHERE status = 'open' AND customer_id IS NOT NULL;
CREATE INDEX carts_held ON carts (held_at) WHERE status = 'held';

CREATE TABLE cart_lines (
    cart_id            TEXT    NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
    variant_id         TEXT    NOT NULL REFERENCES variants (id) ON DELETE CASCADE,
    position           INTEGER NOT NULL,
    quantity           INTEGER NOT NULL CHECK (quantity > 0),
    -- A line may have a discount of its own, and a note.
    discount_percent   INTEGER NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100),
    discount_amount    INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
    discount_reason    TEXT    NOT NULL DEFAULT '',
    discount_unbounded INTEGER NOT NULL DEFAULT 0 CHECK (discount_unbounded IN (0, 1)),
    note               TEXT    NOT NULL DEFAULT '',
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
    customer_id        TEXT    REFERENCES customers (id), -- NULL: a walk-in's
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
    revision           TEXT    NOT NULL DEFAULT '',
    items_changed_at   INTEGER NOT NULL DEFAULT 0, -- 0: never
    fulfilment         TEXT    NOT NULL DEFAULT 'deliver'  -- how the buyer gets the goods
        CHECK (fulfilment IN ('takeAway', 'pickUp', 'deliver') AND (fulfilment <> 'deliver' OR customer_id IS NOT NULL)),
    CHECK (total = subtotal - discount + shipping + CASE tax_included WHEN 1 THEN 0 ELSE tax END)
) STRICT;

CREATE TABLE order_lines (
    order_id        TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    line            INTEGER NOT NULL,
    product_id      TEXT    NOT NULL,
    variant_id      TEXT    NOT NULL,
    sku             TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    label           TEXT    NOT NULL, -- the variant's options as text
    quantity        INTEGER NOT NULL CHECK (quantity > 0),
    price           INTEGER NOT NULL,
    discount        INTEGER NOT NULL,
    tax             INTEGER NOT NULL,
    total           INTEGER NOT NULL, -- price × quantity, before discount and tax
    returned_by     TEXT    NOT NULL DEFAULT '',
    rate_ppm        INTEGER NOT NULL DEFAULT 0 CHECK (rate_ppm BETWEEN 0 AND 1000000), -- of the tax, when the line was priced
    discount_reason TEXT    NOT NULL DEFAULT '',
    note            TEXT    NOT NULL DEFAULT '',
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
    at        INTEGER NOT NULL,
    tendered  INTEGER NOT NULL DEFAULT 0 -- cash handed over; 0: not said
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
    received_at  INTEGER NOT NULL DEFAULT 0,
    method_id    TEXT    NOT NULL DEFAULT '',
    method_label TEXT    NOT NULL DEFAULT '',
    amount       INTEGER NOT NULL DEFAULT 0,
    restocked    INTEGER NOT NULL DEFAULT 0 CHECK (restocked IN (0, 1)),
    person       TEXT    NOT NULL DEFAULT '',
    reason       TEXT    NOT NULL DEFAULT '' -- why it comes back; '': not said
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

-- A customer has at most one default address and one default payment method.
CREATE UNIQUE INDEX addresses_default ON addresses (customer_id) WHERE is_default = 1;
CREATE UNIQUE INDEX payment_methods_default ON payment_methods (customer_id) WHERE is_default = 1;

-- When what came back was noted: a request is received once and never before it was made.
CREATE INDEX order_requests_by_time ON order_requests (max(requested_at, received_at), id, order_id);

-- A person may have a PIN.
CREATE TABLE staff_pins (
    staff_id   TEXT    NOT NULL PRIMARY KEY REFERENCES staff (id),
    hash       TEXT    NOT NULL, -- argon2id, with its parameters and salt
    good_since INTEGER NOT NULL  -- ms since 1970: when it was set or last given right
) STRICT;

-- How documents are written, who sends mail, and who is told of orders. Passwords
-- and secrets are not here: they lie in the system's keychain.
CREATE TABLE mail_server (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (id = 'mail'),
    host        TEXT    NOT NULL,
    port        INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
    encryption  TEXT    NOT NULL CHECK (encryption IN ('starttls', 'tls', 'none')),
    username    TEXT    NOT NULL DEFAULT '', -- '': the server wants none
    sender      TEXT    NOT NULL,
    sender_name TEXT    NOT NULL DEFAULT ''  -- '': the shop's
) STRICT;

CREATE TABLE webhooks (
    id       TEXT    NOT NULL PRIMARY KEY,
    url      TEXT    NOT NULL,
    position INTEGER NOT NULL
) STRICT;

-- Which model answers in the chat. Its key lies in the system's keychain. The
-- prices of a million tokens are decimal numbers in a currency of their own; '': not set.
CREATE TABLE model_endpoint (
    id             TEXT NOT NULL PRIMARY KEY CHECK (id = 'model'),
    endpoint       TEXT NOT NULL,
    model          TEXT NOT NULL,
    input_price    TEXT NOT NULL DEFAULT '',
    output_price   TEXT NOT NULL DEFAULT '',
    price_currency TEXT NOT NULL DEFAULT '',
    -- What a test found of the model, or a person said of it: how many tokens it reads (0: it is asked), and what it
    -- can do, in words.
    context        INTEGER NOT NULL DEFAULT 0 CHECK (context >= 0),
    abilities      TEXT NOT NULL DEFAULT ''
) STRICT;

-- Lists of orders are read newest first from an index, however many there are, and
-- words are looked for in one, too.
CREATE INDEX orders_by_time ON orders (placed_at DESC, id, search_fold, status, customer_id);
CREATE INDEX orders_by_status ON orders (status, placed_at DESC, id);
CREATE INDEX orders_by_customer ON orders (customer_id, placed_at DESC, id);
-- Orders by their total, and by who took them.
CREATE INDEX orders_by_total ON orders (total, id);
CREATE INDEX orders_by_person ON orders (placed_by, placed_at DESC, id);

-- What a large shop is asked for without looking at every order: sums by the
-- hour, and where words stand. Triggers keep both, whoever changes the rows.

-- What was placed in an hour since 1970 (UTC) and not cancelled.
CREATE TABLE derived_hours (
    hour     INTEGER NOT NULL PRIMARY KEY,
    orders   INTEGER NOT NULL,
    subtotal INTEGER NOT NULL,
    discount INTEGER NOT NULL,
    tax      INTEGER NOT NULL,
    shipping INTEGER NOT NULL,
    total    INTEGER NOT NULL,
    -- 'number pieces revenue' and a line feed for each line, the number that of
    -- derived_variants; what no longer counts stands there again, negative.
    lines    TEXT    NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER hours_order_placed AFTER INSERT ON orders WHEN NEW.status <> 'cancelled' BEGIN
    INSERT INTO derived_hours VALUES (NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total, '')
        ON CONFLICT DO UPDATE SET orders = orders + 1, subtotal = subtotal + excluded.subtotal, discount = discount + excluded.discount,
            tax = tax + excluded.tax, shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- The order of a list, newest first, as one number of 56 bits: the second an order
-- was placed in, then its number the other way round.
CREATE TABLE derived_unsorted (place INTEGER NOT NULL PRIMARY KEY) STRICT; -- not in derived_words yet

-- Every three letters on end in what an order is found by, and a space more: so
-- each letter begins three.
CREATE VIRTUAL TABLE derived_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE derived_letters USING fts5vocab (derived_words, 'row');

-- +goose StatementBegin
CREATE TRIGGER words_order_placed AFTER INSERT ON orders BEGIN
    INSERT INTO derived_unsorted VALUES (NEW.placed_at / 1000 << 24 | 16777215 - substr(NEW.id, 3)) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER words_order_changed AFTER UPDATE OF placed_at, search_fold ON orders
    WHEN (OLD.placed_at, OLD.search_fold) <> (NEW.placed_at, NEW.search_fold) BEGIN
    INSERT INTO derived_unsorted VALUES (OLD.placed_at / 1000 << 24 | 16777215 - substr(OLD.id, 3)) ON CONFLICT DO NOTHING;
    INSERT INTO derived_unsorted VALUES (NEW.placed_at / 1000 << 24 | 16777215 - substr(NEW.id, 3)) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER words_order_gone AFTER DELETE ON orders BEGIN
    INSERT INTO derived_unsorted VALUES (OLD.placed_at / 1000 << 24 | 16777215 - substr(OLD.id, 3)) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- One by one they would cost ten times as much. No order has a place below zero: it
-- says that the rest is not to wait.
-- +goose StatementBegin
CREATE TRIGGER words_sorted AFTER INSERT ON derived_unsorted WHEN NEW.place < 0 OR (SELECT COUNT(*) FROM derived_unsorted) >= 256 BEGIN
    DELETE FROM derived_words WHERE rowid IN (SELECT place FROM derived_unsorted);
    INSERT INTO derived_words (rowid, words)
        SELECT u.place, o.search_fold || ' ' FROM derived_unsorted u CROSS JOIN orders o ON o.id = printf('#W%07d', 16777215 - (u.place & 16777215))
        WHERE o.placed_at / 1000 = u.place >> 24 ORDER BY u.place;
    DELETE FROM derived_unsorted;
END;
-- +goose StatementEnd

-- Of somebody who was erased nothing is left here either.
-- +goose StatementBegin
CREATE TRIGGER words_erased AFTER DELETE ON customers WHEN EXISTS (SELECT 1 FROM derived_unsorted u CROSS JOIN orders o ON o.id = printf('#W%07d', 16777215 - (u.place & 16777215))
        CROSS JOIN customers c ON c.id = o.customer_id WHERE c.erased_at > 0) BEGIN
    INSERT INTO derived_unsorted VALUES (-1);
    INSERT INTO derived_words (derived_words) VALUES ('optimize');
END;
-- +goose StatementEnd

-- Where the words of customers stand, as derived_words has it of orders: letters narrow
-- down, and what is found is what has the words. A customer's row has no number
-- that lasts, so a place of its own is kept for it.
CREATE TABLE derived_places (
    place INTEGER NOT NULL PRIMARY KEY,
    id    TEXT    NOT NULL UNIQUE -- of a customer
) STRICT;
CREATE VIRTUAL TABLE derived_people USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE derived_people_letters USING fts5vocab (derived_people, 'row');

-- +goose StatementBegin
CREATE TRIGGER people_added AFTER INSERT ON customers BEGIN
    INSERT INTO derived_places (id) VALUES (NEW.id);
    INSERT INTO derived_people (rowid, words) SELECT place, NEW.search_fold || ' ' FROM derived_places WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER people_changed AFTER UPDATE OF id, search_fold ON customers WHEN (OLD.id, OLD.search_fold) <> (NEW.id, NEW.search_fold) BEGIN
    DELETE FROM derived_people WHERE rowid = (SELECT place FROM derived_places WHERE id = OLD.id);
    UPDATE derived_places SET id = NEW.id WHERE id = OLD.id;
    INSERT INTO derived_people (rowid, words) SELECT place, NEW.search_fold || ' ' FROM derived_places WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- Nothing is left of somebody who was erased.
-- +goose StatementBegin
CREATE TRIGGER people_gone AFTER DELETE ON customers BEGIN
    DELETE FROM derived_people WHERE rowid = (SELECT place FROM derived_places WHERE id = OLD.id);
    DELETE FROM derived_places WHERE id = OLD.id;
    INSERT INTO derived_people (derived_people) VALUES ('optimize');
END;
-- +goose StatementEnd

-- The lines of derived_hours name variants by numbers: a year of them is added up in
-- a table by number, not in one by name.

CREATE TABLE derived_variants (
    number INTEGER NOT NULL PRIMARY KEY,
    id     TEXT    NOT NULL UNIQUE -- of a variant that an order has or had
) STRICT;

CREATE VIEW derived_lines AS
    SELECT l.order_id, v.number AS variant, l.quantity, l.total - l.discount AS revenue
    FROM order_lines l CROSS JOIN derived_variants v ON v.id = l.variant_id;

-- +goose StatementBegin
CREATE TRIGGER hours_order_changed AFTER UPDATE OF placed_at, status, subtotal, discount, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total) BEGIN
    UPDATE derived_hours SET orders = orders - 1, subtotal = subtotal - OLD.subtotal, discount = discount - OLD.discount,
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping, total = total - OLD.total,
            lines = lines || CASE WHEN (OLD.placed_at, OLD.status = 'cancelled') = (NEW.placed_at, NEW.status = 'cancelled') THEN '' ELSE
                (SELECT COALESCE(group_concat(variant || ' ' || -quantity || ' ' || -revenue || char(10), ''), '') FROM derived_lines WHERE order_id = OLD.id) END
        WHERE hour = OLD.placed_at / 3600000 AND OLD.status <> 'cancelled';
    INSERT INTO derived_hours
        SELECT NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total,
            CASE WHEN (OLD.placed_at, OLD.status = 'cancelled') = (NEW.placed_at, NEW.status = 'cancelled') THEN '' ELSE
                (SELECT COALESCE(group_concat(variant || ' ' || quantity || ' ' || revenue || char(10), ''), '') FROM derived_lines WHERE order_id = NEW.id) END
        WHERE NEW.status <> 'cancelled'
        ON CONFLICT DO UPDATE SET orders = orders + 1, subtotal = subtotal + excluded.subtotal, discount = discount + excluded.discount,
            tax = tax + excluded.tax, shipping = shipping + excluded.shipping, total = total + excluded.total, lines = lines || excluded.lines;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_order_gone BEFORE DELETE ON orders WHEN OLD.status <> 'cancelled' BEGIN
    UPDATE derived_hours SET orders = orders - 1, subtotal = subtotal - OLD.subtotal, discount = discount - OLD.discount,
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping, total = total - OLD.total,
            lines = lines || (SELECT COALESCE(group_concat(variant || ' ' || -quantity || ' ' || -revenue || char(10), ''), '') FROM derived_lines WHERE order_id = OLD.id)
        WHERE hour = OLD.placed_at / 3600000;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_line_added AFTER INSERT ON order_lines BEGIN
    INSERT INTO derived_variants (id) VALUES (NEW.variant_id) ON CONFLICT DO NOTHING;
    UPDATE derived_hours SET lines = lines || (SELECT number FROM derived_variants WHERE id = NEW.variant_id) || ' ' || NEW.quantity || ' ' || (NEW.total - NEW.discount) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = NEW.order_id AND status <> 'cancelled');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_line_changed AFTER UPDATE OF order_id, variant_id, quantity, total, discount ON order_lines
    WHEN (OLD.order_id, OLD.variant_id, OLD.quantity, OLD.total - OLD.discount) <> (NEW.order_id, NEW.variant_id, NEW.quantity, NEW.total - NEW.discount) BEGIN
    INSERT INTO derived_variants (id) VALUES (NEW.variant_id) ON CONFLICT DO NOTHING;
    UPDATE derived_hours SET lines = lines || (SELECT number FROM derived_variants WHERE id = OLD.variant_id) || ' ' || -OLD.quantity || ' ' || (OLD.discount - OLD.total) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = OLD.order_id AND status <> 'cancelled');
    UPDATE derived_hours SET lines = lines || (SELECT number FROM derived_variants WHERE id = NEW.variant_id) || ' ' || NEW.quantity || ' ' || (NEW.total - NEW.discount) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = NEW.order_id AND status <> 'cancelled');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_line_gone AFTER DELETE ON order_lines BEGIN
    UPDATE derived_hours SET lines = lines || (SELECT number FROM derived_variants WHERE id = OLD.variant_id) || ' ' || -OLD.quantity || ' ' || (OLD.discount - OLD.total) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = OLD.order_id AND status <> 'cancelled');
END;
-- +goose StatementEnd

-- What is placed and not cancelled, by what reports group it.
CREATE VIEW derived_parts AS
    SELECT id AS order_id, 0 AS line, placed_at AS at, 'person' AS dimension, placed_by AS value,
        1 AS orders, subtotal, discount, tax, shipping, total
    FROM orders WHERE status <> 'cancelled'
    UNION ALL
    SELECT id, 0, placed_at, 'fulfilment', fulfilment, 1, subtotal, discount, tax, shipping, total
    FROM orders WHERE status <> 'cancelled'
    UNION ALL
    SELECT o.id, l.line, o.placed_at, 'taxRate', CAST(l.rate_ppm AS TEXT), 0, l.total, l.discount, l.tax, 0,
        l.total - l.discount + CASE o.tax_included WHEN 1 THEN 0 ELSE l.tax END
    FROM orders o CROSS JOIN order_lines l ON l.order_id = o.id WHERE o.status <> 'cancelled';

-- The same in sums of an hour since 1970 (UTC). Orders are not counted by rate: one may have several.
CREATE TABLE derived_groups (
    dimension TEXT    NOT NULL,
    hour      INTEGER NOT NULL,
    value     TEXT    NOT NULL,
    orders    INTEGER NOT NULL,
    subtotal  INTEGER NOT NULL,
    discount  INTEGER NOT NULL,
    tax       INTEGER NOT NULL,
    shipping  INTEGER NOT NULL,
    total     INTEGER NOT NULL,
    PRIMARY KEY (dimension, hour, value)
) STRICT, WITHOUT ROWID;

-- What was paid and given back in an hour, by the kind of the method.
CREATE VIEW derived_paid AS
    SELECT id, at,
        CASE WHEN method_id IN ('cash', 'card', 'other') THEN method_id
            ELSE CASE label WHEN 'Cash' THEN 'cash' WHEN 'PayPal' THEN 'paypal' WHEN 'Gift card' THEN 'giftCard'
                WHEN 'On account' THEN 'onAccount' WHEN 'Erased' THEN 'erased' ELSE 'card' END END AS method,
        kind = 'payment' AS payments, CASE kind WHEN 'payment' THEN amount ELSE 0 END AS paid,
        kind = 'refund' AS refunds, CASE kind WHEN 'refund' THEN amount ELSE 0 END AS refunded
    FROM payments;

CREATE TABLE derived_payments (
    hour     INTEGER NOT NULL,
    method   TEXT    NOT NULL,
    payments INTEGER NOT NULL,
    paid     INTEGER NOT NULL,
    refunds  INTEGER NOT NULL,
    refunded INTEGER NOT NULL,
    PRIMARY KEY (hour, method)
) STRICT, WITHOUT ROWID;
CREATE INDEX payments_by_time ON payments (at);

-- +goose StatementBegin
CREATE TRIGGER groups_order_placed AFTER INSERT ON orders BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_order_changing BEFORE UPDATE OF placed_at, placed_by, fulfilment, tax_included, status, subtotal, discount, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.placed_by, OLD.fulfilment, OLD.tax_included, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.placed_by, NEW.fulfilment, NEW.tax_included, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_order_changed AFTER UPDATE OF placed_at, placed_by, fulfilment, tax_included, status, subtotal, discount, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.placed_by, OLD.fulfilment, OLD.tax_included, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.placed_by, NEW.fulfilment, NEW.tax_included, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_order_gone BEFORE DELETE ON orders BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_line_added AFTER INSERT ON order_lines BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.order_id AND line = NEW.line
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_line_changing BEFORE UPDATE OF order_id, line, rate_ppm, total, discount, tax ON order_lines
    WHEN (OLD.order_id, OLD.line, OLD.rate_ppm, OLD.total, OLD.discount, OLD.tax)
        <> (NEW.order_id, NEW.line, NEW.rate_ppm, NEW.total, NEW.discount, NEW.tax) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.order_id AND line = OLD.line
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_line_changed AFTER UPDATE OF order_id, line, rate_ppm, total, discount, tax ON order_lines
    WHEN (OLD.order_id, OLD.line, OLD.rate_ppm, OLD.total, OLD.discount, OLD.tax)
        <> (NEW.order_id, NEW.line, NEW.rate_ppm, NEW.total, NEW.discount, NEW.tax) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.order_id AND line = NEW.line
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_line_gone BEFORE DELETE ON order_lines BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.order_id AND line = OLD.line
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_payment_added AFTER INSERT ON payments BEGIN
    INSERT INTO derived_payments
        SELECT at / 3600000, method, payments, paid, refunds, refunded FROM derived_paid WHERE id = NEW.id
        ON CONFLICT DO UPDATE SET payments = payments + excluded.payments, paid = paid + excluded.paid,
            refunds = refunds + excluded.refunds, refunded = refunded + excluded.refunded;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_payment_changing BEFORE UPDATE OF method_id, label, kind, amount, at ON payments BEGIN
    INSERT INTO derived_payments
        SELECT at / 3600000, method, -payments, -paid, -refunds, -refunded FROM derived_paid WHERE id = OLD.id
        ON CONFLICT DO UPDATE SET payments = payments + excluded.payments, paid = paid + excluded.paid,
            refunds = refunds + excluded.refunds, refunded = refunded + excluded.refunded;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_payment_changed AFTER UPDATE OF method_id, label, kind, amount, at ON payments BEGIN
    INSERT INTO derived_payments
        SELECT at / 3600000, method, payments, paid, refunds, refunded FROM derived_paid WHERE id = NEW.id
        ON CONFLICT DO UPDATE SET payments = payments + excluded.payments, paid = paid + excluded.paid,
            refunds = refunds + excluded.refunds, refunded = refunded + excluded.refunded;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_payment_gone BEFORE DELETE ON payments BEGIN
    INSERT INTO derived_payments
        SELECT at / 3600000, method, -payments, -paid, -refunds, -refunded FROM derived_paid WHERE id = OLD.id
        ON CONFLICT DO UPDATE SET payments = payments + excluded.payments, paid = paid + excluded.paid,
            refunds = refunds + excluded.refunds, refunded = refunded + excluded.refunded;
END;
-- +goose StatementEnd
