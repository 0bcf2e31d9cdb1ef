-- Grants are listed the latest first, page by page.

-- +goose Up
CREATE INDEX assistant_grants_created ON assistant_grants (created_at, id);

-- +goose Down
DROP INDEX assistant_grants_created;
