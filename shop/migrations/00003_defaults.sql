-- A customer has at most one default address and one default payment method.

-- +goose Up
UPDATE addresses SET is_default = 0 WHERE is_default = 1
    AND EXISTS (SELECT 1 FROM addresses o WHERE o.customer_id = addresses.customer_id AND o.is_default = 1 AND o.id < addresses.id);
CREATE UNIQUE INDEX addresses_default ON addresses (customer_id) WHERE is_default = 1;
UPDATE payment_methods SET is_default = 0 WHERE is_default = 1
    AND EXISTS (SELECT 1 FROM payment_methods o WHERE o.customer_id = payment_methods.customer_id AND o.is_default = 1 AND o.id < payment_methods.id);
CREATE UNIQUE INDEX payment_methods_default ON payment_methods (customer_id) WHERE is_default = 1;

-- +goose Down
DROP INDEX payment_methods_default;
DROP INDEX addresses_default;
