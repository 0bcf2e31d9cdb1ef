-- +goose Up
-- One switch more: personal values are masked for a model that is elsewhere.
CREATE TABLE assistant_settings_6 (
    name  TEXT NOT NULL PRIMARY KEY CHECK (name IN ('enabled', 'masked')),
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO assistant_settings_6 (name, value) SELECT name, value FROM assistant_settings;
DROP TABLE assistant_settings;
ALTER TABLE assistant_settings_6 RENAME TO assistant_settings;

-- +goose Down
DELETE FROM assistant_settings WHERE name = 'masked';
