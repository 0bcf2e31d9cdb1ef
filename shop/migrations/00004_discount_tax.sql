-- +goose Up

-- A discount without tax is the line's net before less its net after. The part of a discount that is tax is kept with the
-- line, so that a line which is split keeps its sums; the tables derived_… add up discounts without tax.
ALTER TABLE order_lines ADD COLUMN discount_tax INTEGER NOT NULL DEFAULT 0; -- of the discount; 0 where prices have no tax
ALTER TABLE orders ADD COLUMN discount_tax INTEGER NOT NULL DEFAULT 0;      -- of its lines

DROP TRIGGER hours_order_placed;
DROP TRIGGER hours_order_changed;
DROP TRIGGER hours_order_gone;
DROP TRIGGER groups_order_changing;
DROP TRIGGER groups_order_changed;
DROP TRIGGER groups_line_changing;
DROP TRIGGER groups_line_changed;
DROP VIEW derived_parts;

-- Half of the divisor is added before the division: half up. The whole prices come first, since their product with the
-- rate may be too large.
UPDATE order_lines SET discount_tax = max(0, min(discount,
        total / (1000000 + rate_ppm) * rate_ppm
            + (2 * (total % (1000000 + rate_ppm)) * rate_ppm + 1000000 + rate_ppm) / (2 * (1000000 + rate_ppm)) - tax))
    WHERE discount > 0 AND order_id IN (SELECT id FROM orders WHERE tax_included = 1);
UPDATE orders SET discount_tax = (SELECT SUM(discount_tax) FROM order_lines WHERE order_id = id)
    WHERE tax_included = 1 AND discount > 0 AND EXISTS (SELECT 1 FROM order_lines WHERE order_id = id);
UPDATE derived_hours SET discount = discount - taxed.amount
    FROM (SELECT placed_at / 3600000 AS at, SUM(discount_tax) AS amount FROM orders
        WHERE status <> 'cancelled' AND discount_tax <> 0 GROUP BY 1) AS taxed WHERE taxed.at = hour;

-- What is placed and not cancelled, by what reports group it. The discount is without tax.
CREATE VIEW derived_parts AS
    SELECT id AS order_id, 0 AS line, placed_at AS at, 'person' AS dimension, placed_by AS value,
        1 AS orders, subtotal, discount - discount_tax AS discount, tax, shipping, total
    FROM orders WHERE status <> 'cancelled'
    UNION ALL
    SELECT id, 0, placed_at, 'fulfilment', fulfilment, 1, subtotal, discount - discount_tax, tax, shipping, total
    FROM orders WHERE status <> 'cancelled'
    UNION ALL
    SELECT o.id, l.line, o.placed_at, 'taxRate', CAST(l.rate_ppm AS TEXT), 0, l.total, l.discount - l.discount_tax, l.tax, 0,
        l.total - l.discount + CASE o.tax_included WHEN 1 THEN 0 ELSE l.tax END
    FROM orders o CROSS JOIN order_lines l ON l.order_id = o.id WHERE o.status <> 'cancelled';

-- +goose StatementBegin
CREATE TRIGGER hours_order_placed AFTER INSERT ON orders WHEN NEW.status <> 'cancelled' BEGIN
    INSERT INTO derived_hours VALUES (NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount - NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total, '')
        ON CONFLICT DO UPDATE SET orders = orders + 1, subtotal = subtotal + excluded.subtotal, discount = discount + excluded.discount,
            tax = tax + excluded.tax, shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_order_changed AFTER UPDATE OF placed_at, status, subtotal, discount, discount_tax, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.discount_tax, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total) BEGIN
    UPDATE derived_hours SET orders = orders - 1, subtotal = subtotal - OLD.subtotal, discount = discount - OLD.discount + OLD.discount_tax,
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping, total = total - OLD.total,
            lines = lines || CASE WHEN (OLD.placed_at, OLD.status = 'cancelled') = (NEW.placed_at, NEW.status = 'cancelled') THEN '' ELSE
                (SELECT COALESCE(group_concat(variant || ' ' || -quantity || ' ' || -revenue || char(10), ''), '') FROM derived_lines WHERE order_id = OLD.id) END
        WHERE hour = OLD.placed_at / 3600000 AND OLD.status <> 'cancelled';
    INSERT INTO derived_hours
        SELECT NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount - NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total,
            CASE WHEN (OLD.placed_at, OLD.status = 'cancelled') = (NEW.placed_at, NEW.status = 'cancelled') THEN '' ELSE
                (SELECT COALESCE(group_concat(variant || ' ' || quantity || ' ' || revenue || char(10), ''), '') FROM derived_lines WHERE order_id = NEW.id) END
        WHERE NEW.status <> 'cancelled'
        ON CONFLICT DO UPDATE SET orders = orders + 1, subtotal = subtotal + excluded.subtotal, discount = discount + excluded.discount,
            tax = tax + excluded.tax, shipping = shipping + excluded.shipping, total = total + excluded.total, lines = lines || excluded.lines;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_order_gone BEFORE DELETE ON orders WHEN OLD.status <> 'cancelled' BEGIN
    UPDATE derived_hours SET orders = orders - 1, subtotal = subtotal - OLD.subtotal, discount = discount - OLD.discount + OLD.discount_tax,
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping, total = total - OLD.total,
            lines = lines || (SELECT COALESCE(group_concat(variant || ' ' || -quantity || ' ' || -revenue || char(10), ''), '') FROM derived_lines WHERE order_id = OLD.id)
        WHERE hour = OLD.placed_at / 3600000;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_order_changing BEFORE UPDATE OF placed_at, placed_by, fulfilment, tax_included, status, subtotal, discount, discount_tax, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.placed_by, OLD.fulfilment, OLD.tax_included, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.discount_tax, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.placed_by, NEW.fulfilment, NEW.tax_included, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_order_changed AFTER UPDATE OF placed_at, placed_by, fulfilment, tax_included, status, subtotal, discount, discount_tax, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.placed_by, OLD.fulfilment, OLD.tax_included, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.discount_tax, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.placed_by, NEW.fulfilment, NEW.tax_included, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_line_changing BEFORE UPDATE OF order_id, line, rate_ppm, total, discount, discount_tax, tax ON order_lines
    WHEN (OLD.order_id, OLD.line, OLD.rate_ppm, OLD.total, OLD.discount, OLD.discount_tax, OLD.tax)
        <> (NEW.order_id, NEW.line, NEW.rate_ppm, NEW.total, NEW.discount, NEW.discount_tax, NEW.tax) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.order_id AND line = OLD.line
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_line_changed AFTER UPDATE OF order_id, line, rate_ppm, total, discount, discount_tax, tax ON order_lines
    WHEN (OLD.order_id, OLD.line, OLD.rate_ppm, OLD.total, OLD.discount, OLD.discount_tax, OLD.tax)
        <> (NEW.order_id, NEW.line, NEW.rate_ppm, NEW.total, NEW.discount, NEW.discount_tax, NEW.tax) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.order_id AND line = NEW.line
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

DELETE FROM derived_groups;
INSERT INTO derived_groups
    SELECT dimension, at / 3600000, value, SUM(orders), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping), SUM(total)
    FROM derived_parts GROUP BY 1, 2, 3;
