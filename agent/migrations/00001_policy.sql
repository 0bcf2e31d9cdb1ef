-- What people decided about the assistant. These are the domain's tables: every
-- change of them is an invocation, with its effects in the record.
-- Times are milliseconds since 1970, money is an integer of minor units.

-- +goose Up
CREATE TABLE assistant_rules (
    subject TEXT NOT NULL PRIMARY KEY CHECK (subject LIKE 'capability:%' OR subject LIKE 'class:%'),
    rule    TEXT NOT NULL CHECK (rule IN ('allowed', 'confirmation_required', 'forbidden'))
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE assistant_rules;
