-- What a large shop is asked for without looking at every order: sums by the
-- hour, and where words stand. Triggers keep both, whoever changes the rows.

-- +goose Up
DROP INDEX orders_by_sale;

-- What was placed in an hour since 1970 (UTC) and not cancelled.
CREATE TABLE derived_hours (
    hour     INTEGER NOT NULL PRIMARY KEY,
    orders   INTEGER NOT NULL,
    subtotal INTEGER NOT NULL,
    discount INTEGER NOT NULL,
    tax      INTEGER NOT NULL,
    shipping INTEGER NOT NULL,
    total    INTEGER NOT NULL,
    -- 'variant pieces revenue' and a line feed for each line; what no longer counts
    -- stands there again with less than nothing.
    lines    TEXT    NOT NULL
) STRICT;

INSERT INTO derived_hours
    SELECT placed_at / 3600000, COUNT(*), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping), SUM(total),
        group_concat((SELECT COALESCE(group_concat(variant_id || ' ' || quantity || ' ' || (l.total - l.discount) || char(10), ''), '') FROM order_lines l WHERE l.order_id = o.id), '')
    FROM orders o WHERE status <> 'cancelled' GROUP BY placed_at / 3600000;

-- +goose StatementBegin
CREATE TRIGGER hours_order_placed AFTER INSERT ON orders WHEN NEW.status <> 'cancelled' BEGIN
    INSERT INTO derived_hours VALUES (NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total, '')
        ON CONFLICT DO UPDATE SET orders = orders + 1, subtotal = subtotal + excluded.subtotal, discount = discount + excluded.discount,
            tax = tax + excluded.tax, shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_order_changed AFTER UPDATE OF placed_at, status, subtotal, discount, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total) BEGIN
    UPDATE derived_hours SET orders = orders - 1, subtotal = subtotal - OLD.subtotal, discount = discount - OLD.discount,
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping, total = total - OLD.total,
            lines = lines || CASE WHEN (OLD.placed_at, OLD.status = 'cancelled') = (NEW.placed_at, NEW.status = 'cancelled') THEN '' ELSE
                (SELECT COALESCE(group_concat(variant_id || ' ' || -quantity || ' ' || (l.discount - l.total) || char(10), ''), '') FROM order_lines l WHERE l.order_id = OLD.id) END
        WHERE hour = OLD.placed_at / 3600000 AND OLD.status <> 'cancelled';
    INSERT INTO derived_hours
        SELECT NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount, NEW.tax, NEW.shipping, NEW.total,
            CASE WHEN (OLD.placed_at, OLD.status = 'cancelled') = (NEW.placed_at, NEW.status = 'cancelled') THEN '' ELSE
                (SELECT COALESCE(group_concat(variant_id || ' ' || quantity || ' ' || (l.total - l.discount) || char(10), ''), '') FROM order_lines l WHERE l.order_id = NEW.id) END
        WHERE NEW.status <> 'cancelled'
        ON CONFLICT DO UPDATE SET orders = orders + 1, subtotal = subtotal + excluded.subtotal, discount = discount + excluded.discount,
            tax = tax + excluded.tax, shipping = shipping + excluded.shipping, total = total + excluded.total, lines = lines || excluded.lines;
END;
-- +goose StatementEnd

-- Before, since its lines go with it.
-- +goose StatementBegin
CREATE TRIGGER hours_order_gone BEFORE DELETE ON orders WHEN OLD.status <> 'cancelled' BEGIN
    UPDATE derived_hours SET orders = orders - 1, subtotal = subtotal - OLD.subtotal, discount = discount - OLD.discount,
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping, total = total - OLD.total,
            lines = lines || (SELECT COALESCE(group_concat(variant_id || ' ' || -quantity || ' ' || (l.discount - l.total) || char(10), ''), '') FROM order_lines l WHERE l.order_id = OLD.id)
        WHERE hour = OLD.placed_at / 3600000;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_line_added AFTER INSERT ON order_lines BEGIN
    UPDATE derived_hours SET lines = lines || NEW.variant_id || ' ' || NEW.quantity || ' ' || (NEW.total - NEW.discount) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = NEW.order_id AND status <> 'cancelled');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_line_changed AFTER UPDATE OF order_id, variant_id, quantity, total, discount ON order_lines
    WHEN (OLD.order_id, OLD.variant_id, OLD.quantity, OLD.total - OLD.discount) <> (NEW.order_id, NEW.variant_id, NEW.quantity, NEW.total - NEW.discount) BEGIN
    UPDATE derived_hours SET lines = lines || OLD.variant_id || ' ' || -OLD.quantity || ' ' || (OLD.discount - OLD.total) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = OLD.order_id AND status <> 'cancelled');
    UPDATE derived_hours SET lines = lines || NEW.variant_id || ' ' || NEW.quantity || ' ' || (NEW.total - NEW.discount) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = NEW.order_id AND status <> 'cancelled');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_line_gone AFTER DELETE ON order_lines BEGIN
    UPDATE derived_hours SET lines = lines || OLD.variant_id || ' ' || -OLD.quantity || ' ' || (OLD.discount - OLD.total) || char(10)
        WHERE hour = (SELECT placed_at / 3600000 FROM orders WHERE id = OLD.order_id AND status <> 'cancelled');
END;
-- +goose StatementEnd

-- The order of a list, newest first, as one number of 56 bits: the second an order
-- was placed in, then its number the other way round.
CREATE TABLE derived_unsorted (place INTEGER NOT NULL PRIMARY KEY) STRICT; -- not in derived_words yet

-- Every three letters on end in what an order is found by, and a space more: so
-- each letter begins three.
CREATE VIRTUAL TABLE derived_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE derived_letters USING fts5vocab (derived_words, 'row');

INSERT INTO derived_words (rowid, words)
    SELECT placed_at / 1000 << 24 | 16777215 - substr(id, 3), search_fold || ' ' FROM orders ORDER BY 1;

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

-- +goose Down
DROP TRIGGER words_erased;
DROP TRIGGER words_sorted;
DROP TRIGGER words_order_gone;
DROP TRIGGER words_order_changed;
DROP TRIGGER words_order_placed;
DROP TABLE derived_letters;
DROP TABLE derived_words;
DROP TABLE derived_unsorted;
DROP TRIGGER hours_line_gone;
DROP TRIGGER hours_line_changed;
DROP TRIGGER hours_line_added;
DROP TRIGGER hours_order_gone;
DROP TRIGGER hours_order_changed;
DROP TRIGGER hours_order_placed;
DROP TABLE derived_hours;
CREATE INDEX orders_by_sale ON orders (placed_at, status, id, subtotal, discount, tax, shipping, total);
