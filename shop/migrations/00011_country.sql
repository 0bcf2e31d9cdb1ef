-- +goose Up
ALTER TABLE shop ADD COLUMN country TEXT NOT NULL DEFAULT ''; -- ISO 3166: new addresses begin with it; '': not said
