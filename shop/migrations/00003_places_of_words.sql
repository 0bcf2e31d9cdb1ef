-- +goose Up

-- Which row has which letters, so that deskhand audit verify --state can compare the indexes with the rows. These tables hold no
-- rows: they show what is in the indexes.
CREATE VIRTUAL TABLE derived_words_places USING fts5vocab (derived_words, 'instance');
CREATE VIRTUAL TABLE derived_people_places USING fts5vocab (derived_people, 'instance');
