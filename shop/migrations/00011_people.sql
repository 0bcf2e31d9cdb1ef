-- Where the words of customers stand, as 00009 has it of orders: letters narrow
-- down, and what is found is what has the words. A customer's row has no number
-- that lasts, so a place of its own is kept for it.

-- +goose Up
CREATE TABLE derived_places (
    place INTEGER NOT NULL PRIMARY KEY,
    id    TEXT    NOT NULL UNIQUE -- of a customer
) STRICT;

CREATE VIRTUAL TABLE derived_people USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE derived_people_letters USING fts5vocab (derived_people, 'row');

INSERT INTO derived_places (id) SELECT id FROM customers ORDER BY name_fold, id;
INSERT INTO derived_people (rowid, words)
    SELECT l.place, t.search_fold || ' ' FROM derived_places l CROSS JOIN customers t ON t.id = l.id ORDER BY l.place;

-- +goose StatementBegin
CREATE TRIGGER people_added AFTER INSERT ON customers BEGIN
    INSERT INTO derived_places (id) VALUES (NEW.id);
    INSERT INTO derived_people (rowid, words) SELECT place, NEW.search_fold || ' ' FROM derived_places WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER people_changed AFTER UPDATE OF id, search_fold ON customers WHEN (OLD.id, OLD.search_fold) <> (NEW.id, NEW.search_fold) BEGIN
    DELETE FROM derived_people WHERE rowid = (SELECT place FROM derived_places WHERE id = OLD.id);
    UPDATE derived_places SET id = NEW.id WHERE id = OLD.id;
    INSERT INTO derived_people (rowid, words) SELECT place, NEW.search_fold || ' ' FROM derived_places WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- Nothing is left of somebody who was erased.
-- +goose StatementBegin
CREATE TRIGGER people_gone AFTER DELETE ON customers BEGIN
    DELETE FROM derived_people WHERE rowid = (SELECT place FROM derived_places WHERE id = OLD.id);
    DELETE FROM derived_places WHERE id = OLD.id;
    INSERT INTO derived_people (derived_people) VALUES ('optimize');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER people_gone;
DROP TRIGGER people_changed;
DROP TRIGGER people_added;
DROP TABLE derived_people_letters;
DROP TABLE derived_people;
DROP TABLE derived_places;
