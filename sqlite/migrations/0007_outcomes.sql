-- What the gate did with an answer, among what is counted over many. Empty where it did not look at it.
ALTER TABLE answer_facts ADD COLUMN outcome TEXT NOT NULL DEFAULT '';
UPDATE answer_facts SET outcome = coalesce((SELECT CAST(body AS TEXT) ->> '$.verdict.outcome' FROM answers
    WHERE number = answer_facts.answer AND json_valid(CAST(body AS TEXT))), '');
