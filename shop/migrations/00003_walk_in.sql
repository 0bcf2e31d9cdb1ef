-- +goose Up
-- A sale may have no customer, and says how the buyer gets the goods.
ALTER TABLE orders ALTER COLUMN customer_id DROP NOT NULL; -- NULL: a walk-in's
ALTER TABLE orders ADD COLUMN fulfilment TEXT NOT NULL DEFAULT 'deliver'
    CHECK (fulfilment IN ('takeAway', 'pickUp', 'deliver') AND (fulfilment <> 'deliver' OR customer_id IS NOT NULL));

-- '': not said; a customer's cart is delivered then, and a walk-in's taken along.
ALTER TABLE carts ADD COLUMN fulfilment TEXT NOT NULL DEFAULT ''
    CHECK (fulfilment IN ('', 'takeAway', 'pickUp', 'deliver'));
