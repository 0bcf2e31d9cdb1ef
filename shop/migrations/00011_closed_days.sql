-- +goose Up

-- The report of a day that is over stays as it was: a later change of an order counts on the day of its receipt, as a
-- return does, and an erased payment keeps the kind of its method.
DROP TRIGGER receipts_stay;
ALTER TABLE receipts ADD COLUMN cause TEXT NOT NULL DEFAULT 'change' CHECK (cause IN ('sale', 'change', 'cancellation', 'return'));
UPDATE receipts SET cause = CASE
    WHEN refers_to = '' AND returns = 0 AND at = o.placed_at THEN 'sale'
    WHEN o.status = 'cancelled' AND at = o.cancelled_at THEN 'cancellation'
    WHEN at IN (SELECT received_at FROM order_requests q WHERE q.order_id = o.id AND q.kind = 'return') THEN 'return'
    ELSE 'change' END FROM orders o WHERE o.id = order_id;
CREATE INDEX receipts_of_changes ON receipts (at) WHERE cause IN ('change', 'cancellation');

-- +goose StatementBegin
CREATE TRIGGER receipts_stay BEFORE UPDATE ON receipts BEGIN
    SELECT RAISE(ABORT, 'a receipt is not changed');
END;
-- +goose StatementEnd

ALTER TABLE payments ADD COLUMN method TEXT NOT NULL DEFAULT ''; -- of an erased one: its kind; '': the label tells
DROP VIEW derived_paid;
CREATE VIEW derived_paid AS
    SELECT id, at,
        CASE WHEN method <> '' THEN method WHEN method_id IN ('cash', 'card', 'transfer', 'other') THEN method_id
            ELSE CASE label WHEN 'Cash' THEN 'cash' WHEN 'PayPal' THEN 'paypal' WHEN 'Gift card' THEN 'giftCard'
                WHEN 'On account' THEN 'onAccount' WHEN 'Erased' THEN 'erased' ELSE 'card' END END AS method,
        kind = 'payment' AS payments, CASE kind WHEN 'payment' THEN amount + rounding ELSE 0 END AS paid,
        kind = 'refund' AS refunds, CASE kind WHEN 'refund' THEN amount + rounding ELSE 0 END AS refunded
    FROM payments;
