-- +goose Up
-- What a test found of the model that answers, or a person said of it: how many tokens it reads (0: it is asked), and
-- what it can do, in words.
ALTER TABLE model_endpoint ADD COLUMN context INTEGER NOT NULL DEFAULT 0 CHECK (context >= 0);
ALTER TABLE model_endpoint ADD COLUMN abilities TEXT NOT NULL DEFAULT '';
