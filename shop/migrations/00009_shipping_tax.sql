-- +goose Up

-- Tax on shipping, and cash without small coins. A method of before has none, so that no total changes.
ALTER TABLE shipping_methods ADD COLUMN tax_class TEXT NOT NULL DEFAULT 'none'; -- of tax_classes; 'none': no tax; '': as the goods
ALTER TABLE orders ADD COLUMN shipping_tax INTEGER NOT NULL DEFAULT 0;          -- a part of tax, and of shipping where prices include it

ALTER TABLE shop ADD COLUMN cash_step INTEGER NOT NULL DEFAULT 1 CHECK (cash_step > 0); -- the smallest coin; 1: cash is not rounded
ALTER TABLE payments ADD COLUMN rounding INTEGER NOT NULL DEFAULT 0;                    -- of cash: amount + rounding was handed over
UPDATE shop SET cash_step = 5 WHERE (country, currency) IN (VALUES ('AU', 'AUD'), ('BE', 'EUR'), ('CA', 'CAD'), ('CH', 'CHF'),
    ('EE', 'EUR'), ('FI', 'EUR'), ('LI', 'CHF'), ('LT', 'EUR'), ('MY', 'MYR'), ('SK', 'EUR'));
UPDATE shop SET cash_step = 10 WHERE (country, currency) IN (VALUES ('IL', 'ILS'), ('NZ', 'NZD'));
UPDATE shop SET cash_step = 50 WHERE (country, currency) = ('DK', 'DKK');
UPDATE shop SET cash_step = 100 WHERE (country, currency) IN (VALUES ('CZ', 'CZK'), ('NO', 'NOK'), ('SE', 'SEK'));
UPDATE shop SET cash_step = 500 WHERE (country, currency) = ('HU', 'HUF');

-- What of an order's shipping is taxed, by rate; the rest of it has no tax.
CREATE TABLE order_shipping (
    order_id TEXT    NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    rate_ppm INTEGER NOT NULL CHECK (rate_ppm BETWEEN 0 AND 1000000),
    net      INTEGER NOT NULL,
    tax      INTEGER NOT NULL,
    PRIMARY KEY (order_id, rate_ppm)
) STRICT, WITHOUT ROWID;

DROP TRIGGER hours_order_placed;
DROP TRIGGER hours_order_changed;
DROP TRIGGER hours_order_gone;
DROP TRIGGER groups_order_changing;
DROP TRIGGER groups_order_changed;
DROP TRIGGER groups_payment_changing;
DROP TRIGGER groups_payment_changed;
DROP VIEW derived_parts;
DROP VIEW derived_paid;

-- What is placed and not cancelled, by what reports group it. Discount and shipping are without tax. By rate, all shipping
-- stands under 'shipping', and what is taxed (lines below 0) moves from there to its rate.
CREATE VIEW derived_parts AS
    SELECT id AS order_id, 0 AS line, placed_at AS at, 'person' AS dimension, placed_by AS value,
        1 AS orders, subtotal, discount - discount_tax AS discount, tax, shipping - tax_included * shipping_tax AS shipping, total
    FROM orders WHERE status <> 'cancelled'
    UNION ALL
    SELECT id, 0, placed_at, 'fulfilment', fulfilment, 1, subtotal, discount - discount_tax, tax,
        shipping - tax_included * shipping_tax, total
    FROM orders WHERE status <> 'cancelled'
    UNION ALL
    SELECT o.id, l.line, o.placed_at, 'taxRate', CAST(l.rate_ppm AS TEXT), 0, l.total, l.discount - l.discount_tax, l.tax, 0,
        l.total - l.discount + CASE o.tax_included WHEN 1 THEN 0 ELSE l.tax END
    FROM orders o CROSS JOIN order_lines l ON l.order_id = o.id WHERE o.status <> 'cancelled'
    UNION ALL
    SELECT id, 0, placed_at, 'taxRate', 'shipping', 0, 0, 0, 0, shipping, shipping
    FROM orders WHERE status <> 'cancelled' AND shipping <> 0
    UNION ALL
    SELECT o.id, -1 - s.rate_ppm, o.placed_at, 'taxRate', CAST(s.rate_ppm AS TEXT), 0, 0, 0, s.tax, s.net, s.net + s.tax
    FROM orders o CROSS JOIN order_shipping s ON s.order_id = o.id WHERE o.status <> 'cancelled'
    UNION ALL
    SELECT o.id, -1 - s.rate_ppm, o.placed_at, 'taxRate', 'shipping', 0, 0, 0, 0,
        -s.net - o.tax_included * s.tax, -s.net - o.tax_included * s.tax
    FROM orders o CROSS JOIN order_shipping s ON s.order_id = o.id WHERE o.status <> 'cancelled';

CREATE VIEW derived_paid AS
    SELECT id, at,
        CASE WHEN method_id IN ('cash', 'card', 'transfer', 'other') THEN method_id
            ELSE CASE label WHEN 'Cash' THEN 'cash' WHEN 'PayPal' THEN 'paypal' WHEN 'Gift card' THEN 'giftCard'
                WHEN 'On account' THEN 'onAccount' WHEN 'Erased' THEN 'erased' ELSE 'card' END END AS method,
        kind = 'payment' AS payments, CASE kind WHEN 'payment' THEN amount + rounding ELSE 0 END AS paid,
        kind = 'refund' AS refunds, CASE kind WHEN 'refund' THEN amount + rounding ELSE 0 END AS refunded
    FROM payments;

-- +goose StatementBegin
CREATE TRIGGER hours_order_placed AFTER INSERT ON orders WHEN NEW.status <> 'cancelled' BEGIN
    INSERT INTO derived_hours VALUES (NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount - NEW.discount_tax, NEW.tax, NEW.shipping - NEW.tax_included * NEW.shipping_tax, NEW.total, '')
        ON CONFLICT DO UPDATE SET orders = orders + 1, subtotal = subtotal + excluded.subtotal, discount = discount + excluded.discount,
            tax = tax + excluded.tax, shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER hours_order_changed AFTER UPDATE OF placed_at, status, tax_included, shipping_tax, subtotal, discount, discount_tax, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.status = 'cancelled', OLD.tax_included, OLD.shipping_tax, OLD.subtotal, OLD.discount, OLD.discount_tax, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.status = 'cancelled', NEW.tax_included, NEW.shipping_tax, NEW.subtotal, NEW.discount, NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total) BEGIN
    UPDATE derived_hours SET orders = orders - 1, subtotal = subtotal - OLD.subtotal, discount = discount - OLD.discount + OLD.discount_tax,
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping + OLD.tax_included * OLD.shipping_tax, total = total - OLD.total,
            lines = lines || CASE WHEN (OLD.placed_at, OLD.status = 'cancelled') = (NEW.placed_at, NEW.status = 'cancelled') THEN '' ELSE
                (SELECT COALESCE(group_concat(variant || ' ' || -quantity || ' ' || -revenue || char(10), ''), '') FROM derived_lines WHERE order_id = OLD.id) END
        WHERE hour = OLD.placed_at / 3600000 AND OLD.status <> 'cancelled';
    INSERT INTO derived_hours
        SELECT NEW.placed_at / 3600000, 1, NEW.subtotal, NEW.discount - NEW.discount_tax, NEW.tax, NEW.shipping - NEW.tax_included * NEW.shipping_tax, NEW.total,
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
            tax = tax - OLD.tax, shipping = shipping - OLD.shipping + OLD.tax_included * OLD.shipping_tax, total = total - OLD.total,
            lines = lines || (SELECT COALESCE(group_concat(variant || ' ' || -quantity || ' ' || -revenue || char(10), ''), '') FROM derived_lines WHERE order_id = OLD.id)
        WHERE hour = OLD.placed_at / 3600000;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_order_changing BEFORE UPDATE OF placed_at, placed_by, fulfilment, tax_included, shipping_tax, status, subtotal, discount, discount_tax, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.placed_by, OLD.fulfilment, OLD.tax_included, OLD.shipping_tax, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.discount_tax, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.placed_by, NEW.fulfilment, NEW.tax_included, NEW.shipping_tax, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_order_changed AFTER UPDATE OF placed_at, placed_by, fulfilment, tax_included, shipping_tax, status, subtotal, discount, discount_tax, tax, shipping, total ON orders
    WHEN (OLD.placed_at, OLD.placed_by, OLD.fulfilment, OLD.tax_included, OLD.shipping_tax, OLD.status = 'cancelled', OLD.subtotal, OLD.discount, OLD.discount_tax, OLD.tax, OLD.shipping, OLD.total)
        <> (NEW.placed_at, NEW.placed_by, NEW.fulfilment, NEW.tax_included, NEW.shipping_tax, NEW.status = 'cancelled', NEW.subtotal, NEW.discount, NEW.discount_tax, NEW.tax, NEW.shipping, NEW.total) BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.id
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_shipping_added AFTER INSERT ON order_shipping BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.order_id AND line = -1 - NEW.rate_ppm
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_shipping_changing BEFORE UPDATE ON order_shipping BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.order_id AND line = -1 - OLD.rate_ppm
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_shipping_changed AFTER UPDATE ON order_shipping BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, orders, subtotal, discount, tax, shipping, total
        FROM derived_parts WHERE order_id = NEW.order_id AND line = -1 - NEW.rate_ppm
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_shipping_gone BEFORE DELETE ON order_shipping BEGIN
    INSERT INTO derived_groups
        SELECT dimension, at / 3600000, value, -orders, -subtotal, -discount, -tax, -shipping, -total
        FROM derived_parts WHERE order_id = OLD.order_id AND line = -1 - OLD.rate_ppm
        ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, subtotal = subtotal + excluded.subtotal,
            discount = discount + excluded.discount, tax = tax + excluded.tax,
            shipping = shipping + excluded.shipping, total = total + excluded.total;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_payment_changing BEFORE UPDATE OF method_id, label, kind, amount, rounding, at ON payments BEGIN
    INSERT INTO derived_payments
        SELECT at / 3600000, method, -payments, -paid, -refunds, -refunded FROM derived_paid WHERE id = OLD.id
        ON CONFLICT DO UPDATE SET payments = payments + excluded.payments, paid = paid + excluded.paid,
            refunds = refunds + excluded.refunds, refunded = refunded + excluded.refunded;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER groups_payment_changed AFTER UPDATE OF method_id, label, kind, amount, rounding, at ON payments BEGIN
    INSERT INTO derived_payments
        SELECT at / 3600000, method, payments, paid, refunds, refunded FROM derived_paid WHERE id = NEW.id
        ON CONFLICT DO UPDATE SET payments = payments + excluded.payments, paid = paid + excluded.paid,
            refunds = refunds + excluded.refunds, refunded = refunded + excluded.refunded;
END;
-- +goose StatementEnd

DELETE FROM derived_groups WHERE dimension = 'taxRate';
INSERT INTO derived_groups
    SELECT dimension, at / 3600000, value, SUM(orders), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping), SUM(total)
    FROM derived_parts WHERE dimension = 'taxRate' GROUP BY 1, 2, 3;
