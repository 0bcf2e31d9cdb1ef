-- Runs at each start. The triggers get the changes of a row into the record of the request that made them.
DO $$ BEGIN
    IF to_regclass('tools') IS NOT NULL THEN
        RETURN;
    END IF;
    CREATE TABLE tools (
        id   text PRIMARY KEY,
        name text NOT NULL
    );
    INSERT INTO tools (id, name) VALUES ('t1', 'Ladder'), ('t2', 'Drill'), ('t3', 'Tile cutter');
    CREATE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON tools
        FOR EACH ROW EXECUTE FUNCTION journal_effect('id');

    -- The loans that have not ended; those that have are in the records.
    CREATE TABLE loans (
        tool_id text PRIMARY KEY REFERENCES tools (id),
        person  text NOT NULL
    );
    CREATE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON loans
        FOR EACH ROW EXECUTE FUNCTION journal_effect('tool_id');
END $$;
