-- Runs that ended and whose claims are still to be passed on, to the file that was named for them. A row is made where the run
-- ends, in the same transaction, and goes when its claims were written: what could not be written is not forgotten.
CREATE TABLE owed_runs (
    run TEXT PRIMARY KEY REFERENCES runs (id)
) STRICT, WITHOUT ROWID;
