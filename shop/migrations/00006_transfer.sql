-- +goose Up

-- A transfer is a method of the shop, and a row of its own among what was paid.
DROP VIEW derived_paid;
CREATE VIEW derived_paid AS
    SELECT id, at,
        CASE WHEN method_id IN ('cash', 'card', 'transfer', 'other') THEN method_id
            ELSE CASE label WHEN 'Cash' THEN 'cash' WHEN 'PayPal' THEN 'paypal' WHEN 'Gift card' THEN 'giftCard'
                WHEN 'On account' THEN 'onAccount' WHEN 'Erased' THEN 'erased' ELSE 'card' END END AS method,
        kind = 'payment' AS payments, CASE kind WHEN 'payment' THEN amount ELSE 0 END AS paid,
        kind = 'refund' AS refunds, CASE kind WHEN 'refund' THEN amount ELSE 0 END AS refunded
    FROM payments;
