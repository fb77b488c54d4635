package sqlite

import (
	"database/sql"
	"strings"

	"github.com/ibid-dev/ibid"
)

// pieceSize is how a text is cut. It is part of the schema.
const pieceSize = 32768

func writeText(w *writer, document int64, text string) error {
	for piece := 0; piece*pieceSize < len(text); piece++ {
		bytes := []byte(text[piece*pieceSize : min((piece+1)*pieceSize, len(text))])
		if err := w.exec(`INSERT INTO texts (document, piece, bytes) VALUES (?, ?, ?)`, document, piece, bytes); err != nil {
			return err
		}
	}
	return nil
}

// textSpan is a part of a document's text.
type textSpan struct {
	document int64 // its key
	at       ibid.Span
}

// read gives the words. Where they are not all there, as the document was removed meanwhile, the error is
// sql.ErrNoRows.
func (t textSpan) read(query func(string, ...any) (*sql.Rows, error)) (string, error) {
	if t.at.Empty() {
		return "", nil
	}
	first, last := t.at.Start/pieceSize, (t.at.End-1)/pieceSize
	rows, err := query(`SELECT bytes FROM texts WHERE document = ? AND piece BETWEEN ? AND ? ORDER BY piece`, t.document, first, last)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var text strings.Builder
	text.Grow((last - first + 1) * pieceSize)
	for rows.Next() {
		var bytes sql.RawBytes // not kept: the builder copies it
		if err := rows.Scan(&bytes); err != nil {
			return "", err
		}
		text.Write(bytes)
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	within := t.at.Shift(-first * pieceSize)
	if within.Start < 0 || within.End > text.Len() {
		return "", sql.ErrNoRows
	}
	return strings.Clone(within.In(text.String())), nil
}
