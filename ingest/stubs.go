package ingest

func readPDF(in input) (Result, error)  { return Result{}, refuse(ErrBroken, "not yet") }
func readDOCX(in input) (Result, error) { return Result{}, refuse(ErrBroken, "not yet") }
func readHTML(in input) (Result, error) { return Result{}, refuse(ErrBroken, "not yet") }
func stripTags(s string) string         { return s }
