-- +goose Up
-- A line may have a discount of its own, and a note; so may the whole cart a note.
ALTER TABLE carts ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE cart_lines ADD COLUMN discount_percent INTEGER NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100);
ALTER TABLE cart_lines ADD COLUMN discount_amount INTEGER NOT NULL DEFAULT 0 CHECK (discount_amount >= 0);
ALTER TABLE cart_lines ADD COLUMN discount_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE cart_lines ADD COLUMN discount_unbounded INTEGER NOT NULL DEFAULT 0 CHECK (discount_unbounded IN (0, 1));
ALTER TABLE cart_lines ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE order_lines ADD COLUMN discount_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE order_lines ADD COLUMN note TEXT NOT NULL DEFAULT '';
