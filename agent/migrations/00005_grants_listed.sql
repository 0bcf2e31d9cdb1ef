-- Grants are listed the latest first, page by page, and looked for by profile.

-- +goose Up
CREATE INDEX assistant_grants_created ON assistant_grants (created_at, id);
DROP INDEX assistant_grants_grantee;
CREATE INDEX assistant_grants_grantee ON assistant_grants (person, capability, endpoint, model, created_at);

-- +goose Down
DROP INDEX assistant_grants_grantee;
CREATE INDEX assistant_grants_grantee ON assistant_grants (person, capability);
DROP INDEX assistant_grants_created;
