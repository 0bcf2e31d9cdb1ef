-- name: ListParts :many
SELECT name, count FROM parts ORDER BY name;

-- name: GetPart :one
SELECT name, count FROM parts WHERE name = ?;

-- name: AddPart :exec
INSERT INTO parts (name, count) VALUES (?, ?);

-- name: TakePart :one
UPDATE parts SET count = count - sqlc.arg(taken) WHERE name = sqlc.arg(name) RETURNING name, count;

-- name: TakeFromAll :many
UPDATE parts SET count = count - 1 WHERE count > 0 RETURNING name, count;
