-- The lines of derived_hours name variants by numbers: a year of them is added up in
-- a table by number, not in one by name.

-- +goose Up
CREATE TABLE derived_variants (
    number INTEGER NOT NULL PRIMARY KEY,
    id     TEXT    NOT NULL UNIQUE -- of a variant that an order has or had
) STRICT;
INSERT INTO derived_variants (id) SELECT DISTINCT variant_id FROM order_lines ORDER BY 1;

CREATE VIEW derived_lines AS
    SELECT l.order_id, v.number AS variant, l.quantity, l.total - l.discount AS revenue
    FROM order_lines l CROSS JOIN derived_variants v ON v.id = l.variant_id;

-- 'number pieces revenue' and a line feed for each line.
UPDATE derived_hours SET lines = '';
UPDATE derived_hours SET lines = f.lines
    FROM (SELECT o.placed_at / 3600000 AS hour, group_concat(l.variant || ' ' || l.quantity || ' ' || l.revenue || char(10), '') AS lines
        FROM orders o CROSS JOIN derived_lines l ON l.order_id = o.id WHERE o.status <> 'cancelled' GROUP BY 1) f
    WHERE f.hour = derived_hours.hour;

DROP TRIGGER hours_order_changed;
DROP TRIGGER hours_order_gone;
DROP TRIGGER hours_line_added;
DROP TRIGGER hours_line_changed;
DROP TRIGGER hours_line_gone;

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

-- +goose Down
DROP TRIGGER hours_order_changed;
DROP TRIGGER hours_order_gone;
DROP TRIGGER hours_line_added;
DROP TRIGGER hours_line_changed;
DROP TRIGGER hours_line_gone;
DROP VIEW derived_lines;
DROP TABLE derived_variants;
UPDATE derived_hours SET lines = '';
UPDATE derived_hours SET lines = f.lines
    FROM (SELECT o.placed_at / 3600000 AS hour, group_concat(l.variant_id || ' ' || l.quantity || ' ' || (l.total - l.discount) || char(10), '') AS lines
        FROM orders o CROSS JOIN order_lines l ON l.order_id = o.id WHERE o.status <> 'cancelled' GROUP BY 1) f
    WHERE f.hour = derived_hours.hour;

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
