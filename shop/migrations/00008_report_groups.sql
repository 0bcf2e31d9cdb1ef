-- +goose Up
-- The rate of a line's tax, as it was when the line was priced.
ALTER TABLE order_lines ADD COLUMN rate_ppm INTEGER NOT NULL DEFAULT 0 CHECK (rate_ppm BETWEEN 0 AND 1000000);
UPDATE order_lines SET rate_ppm = COALESCE((SELECT t.rate_ppm FROM products p JOIN tax_classes t ON t.id = p.tax_class
    WHERE p.id = product_id), 0) WHERE tax > 0;

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

INSERT INTO derived_groups SELECT dimension, at / 3600000, value, SUM(orders), SUM(subtotal), SUM(discount), SUM(tax),
    SUM(shipping), SUM(total) FROM derived_parts GROUP BY 1, 2, 3;
INSERT INTO derived_payments SELECT at / 3600000, method, SUM(payments), SUM(paid), SUM(refunds), SUM(refunded)
    FROM derived_paid GROUP BY 1, 2;

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
