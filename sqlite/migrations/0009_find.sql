-- Answers are found by their words, and by what they rest on. What is recorded already is taken in by fillFind.

-- The words of the question and of the text as text.Terms gives them, with blanks between them: there the tokenizer parts them,
-- and changes nothing else. Only where the words stand is kept: the row is the answer's number. An answer whose entry of the
-- log was erased has none.
--
-- What is deleted is no longer found, but stays in the file until its part of the index is written anew. Who takes words out
-- for good does so with forgetWords.
CREATE VIRTUAL TABLE answer_words USING fts5 (question, text, content = '', contentless_delete = 1, tokenize = 'ascii');

CREATE TRIGGER answer_words_follow AFTER DELETE ON answers BEGIN
    DELETE FROM answer_words WHERE rowid = old.number;
END;

-- The sources of the library to which an attribution of the answer, or of one of its steps, leads: less than it was given, which
-- is in answer_passages.
CREATE TABLE answer_sources (
    source TEXT NOT NULL,
    answer INTEGER NOT NULL REFERENCES answers (number) ON DELETE CASCADE,
    PRIMARY KEY (source, answer)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_sources_by_answer ON answer_sources (answer);
