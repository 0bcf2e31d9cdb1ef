-- What a million tokens of the model cost, as decimal numbers of a currency of
-- its own: endpoints charge in theirs. All three are '' where nobody said.

-- +goose Up
ALTER TABLE model_endpoint ADD COLUMN input_price TEXT NOT NULL DEFAULT '';
ALTER TABLE model_endpoint ADD COLUMN output_price TEXT NOT NULL DEFAULT '';
ALTER TABLE model_endpoint ADD COLUMN price_currency TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE model_endpoint DROP COLUMN price_currency;
ALTER TABLE model_endpoint DROP COLUMN output_price;
ALTER TABLE model_endpoint DROP COLUMN input_price;
