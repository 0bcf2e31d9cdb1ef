-- +goose Up
CREATE TABLE tickets (
    id       TEXT PRIMARY KEY,
    title    TEXT NOT NULL,
    queue    TEXT NOT NULL DEFAULT 'hardware',
    assignee TEXT NOT NULL DEFAULT '',
    state    TEXT NOT NULL DEFAULT 'open'
) STRICT;

INSERT INTO tickets (id, title, queue) VALUES
    ('t1', 'The printer is on fire', 'hardware'),
    ('t2', 'Password forgotten again', 'accounts'),
    ('t3', 'The spreadsheet opens upside down', 'software');
