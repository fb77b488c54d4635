package ingest

import (
	"bytes"
	"encoding/xml"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// readXLSX reads a workbook as tables are read: a paragraph for each row, each cell with the name of its column, below the name of
// the sheet. Numbers are as they are shown: days as days, shares in per cent. Sheets that are hidden are left out, and said.
func readXLSX(in input) (Result, error) {
	a, err := openArchive(in)
	if err != nil {
		return Result{}, err
	}
	main := a.mainPart("xl/workbook.xml")
	if a.files[main] == nil {
		return Result{}, refuse(ErrBroken, "the archive has no part %s", main)
	}
	rels, err := a.relations(main)
	if err != nil {
		return Result{}, err
	}
	w := workbook{a: a, b: newBuilder(in.limits, len(in.bytes))}
	if err := w.list(main, rels); err != nil {
		return Result{}, err
	}
	for _, id := range sortedKeys(rels) {
		switch rels[id].kind {
		case "sharedStrings":
			err = a.read(rels[id].part, w.readStrings)
		case "styles":
			err = a.read(rels[id].part, w.readStyles)
		}
		if err != nil {
			return Result{}, err
		}
	}
	for _, s := range w.sheets {
		if err := w.sheet(s); err != nil {
			return Result{}, err
		}
		if w.b.full {
			break
		}
	}
	res, err := w.b.result()
	if err != nil {
		return Result{}, err
	}
	if len(w.hidden) > 0 {
		res.Warnings = append(res.Warnings, "left out sheets that are hidden: "+strings.Join(w.hidden, ", "))
	}
	if w.uncounted > 0 {
		res.Warnings = append(res.Warnings, plural(w.uncounted, "formula has no value", "formulas have no values")+" in the file; open and save it in a spreadsheet program first")
	}
	res.Reference, err = officeReference(a)
	return res, err
}

type workbook struct {
	a       *archive
	b       *builder
	sheets  []sheetPart
	hidden  []string
	epoch   time.Time
	strings []string
	formats []numberFormat // by style

	uncounted int // formulas whose value is not in the file
}

type sheetPart struct{ name, part string }

// numberFormat is how a number is shown, as far as it changes what it says.
type numberFormat struct {
	date, clock, percent, elapsed bool
	before, behind                string // what is written beside it, as a currency
}

func (w *workbook) list(main string, rels map[string]relation) error {
	w.epoch = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	return w.a.read(main, func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			switch t.Name.Local {
			case "workbookPr":
				if on := attr(t, "date1904"); on == "1" || on == "true" {
					w.epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
				}
			case "sheet":
				r := rels[relationID(t)]
				name := collapse(strings.ToValidUTF8(attr(t, "name"), "\ufffd"))
				switch {
				case r.kind != "worksheet" || len(w.sheets)+len(w.hidden) >= 10000:
				case attr(t, "state") == "hidden" || attr(t, "state") == "veryHidden":
					w.hidden = append(w.hidden, name)
				default:
					w.sheets = append(w.sheets, sheetPart{name, r.part})
				}
			}
		})
	})
}

// readStrings reads the texts that cells share.
func (w *workbook) readStrings(x *xmlReader) error {
	const most = 4 << 20
	var text strings.Builder
	inText, reading := false, 0
	size := 0
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				text.Reset()
			case "t":
				inText = reading == 0
			case "rPh": // how it is spoken
				reading++
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				w.strings = append(w.strings, cellText(text.String()))
				if size += text.Len(); size > 2*w.a.in.limits.text() || len(w.strings) > most {
					return tooMuchText(w.a.in.limits.text())
				}
			case "t":
				inText = false
			case "rPh":
				reading--
			}
		case xml.CharData:
			if inText {
				text.Write(t)
			}
		}
	}
}

var escapedSign = regexp.MustCompile(`_x([0-9A-Fa-f]{4})_`)

// cellText cleans the text of a cell. Characters that XML does not allow are written _x000D_.
func cellText(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if strings.Contains(s, "_x") {
		s = escapedSign.ReplaceAllStringFunc(s, func(m string) string {
			n, _ := strconv.ParseUint(m[2:6], 16, 32)
			return string(rune(n))
		})
	}
	return collapse(s)
}

func (w *workbook) readStyles(x *xmlReader) error {
	own := map[string]numberFormat{}
	inCells := false
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "numFmt":
				if len(own) < 10000 {
					own[attr(t, "numFmtId")] = readFormat(attr(t, "formatCode"))
				}
			case "cellXfs":
				inCells = true
			case "xf":
				if !inCells || len(w.formats) > 1<<16 {
					continue
				}
				id := attr(t, "numFmtId")
				f, ok := own[id]
				if !ok {
					f = builtInFormat(number(id))
				}
				w.formats = append(w.formats, f)
			}
		case xml.EndElement:
			inCells = inCells && t.Name.Local != "cellXfs"
		}
	}
}

func builtInFormat(id int) numberFormat {
	switch {
	case id == 9 || id == 10:
		return numberFormat{percent: true}
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 58:
		return numberFormat{date: true}
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47:
		return numberFormat{clock: true}
	case id == 22:
		return numberFormat{date: true, clock: true}
	case id == 46:
		return numberFormat{elapsed: true}
	}
	return numberFormat{}
}

var (
	elapsedFormat = regexp.MustCompile(`(?i)\[[hms]+\]`)
	formatWords   = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)
)

// readFormat reads a format such as `dd.mm.yyyy hh:mm` or `0.0%`; colours and spacing in it say nothing.
func readFormat(code string) numberFormat {
	whole := code[:min(len(code), 500)]
	if elapsedFormat.MatchString(code) {
		return numberFormat{elapsed: true}
	}
	code, _, _ = strings.Cut(formatWords.ReplaceAllString(code, ""), ";")
	code = strings.ToLower(code)
	if strings.Contains(code, "general") {
		f := numberFormat{}
		f.readUnit(whole)
		return f
	}
	clock := strings.ContainsAny(code, "hs")
	f := numberFormat{
		date:    strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !clock,
		clock:   clock,
		percent: strings.Contains(code, "%"),
	}
	if f == (numberFormat{}) {
		f.readUnit(whole)
	}
	return f
}

var (
	formatSpaces = regexp.MustCompile(`_.|\*.`)
	formatUnit   = regexp.MustCompile(`"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|\\(.)|([$€£¥₹])`)
	formatScaled = regexp.MustCompile(`[0#?],+(?:[^0#?.,]|$)`)
)

// readUnit reads what a format writes beside the number: `[$€-407] #,##0`, `0.0" kg"`. Formats that show thousands for one are left alone.
func (f *numberFormat) readUnit(code string) {
	code = formatSpaces.ReplaceAllString(code, "")
	words := formatUnit.FindAllStringSubmatchIndex(code, 20)
	bare := []byte(code) // without the words
	for _, w := range words {
		for i := w[0]; i < w[1]; i++ {
			bare[i] = ' '
		}
	}
	end := len(bare)
	if i := bytes.IndexByte(bare, ';'); i >= 0 {
		end = i
	}
	digits := bytes.IndexAny(bare[:end], "0#?Gg")
	if digits < 0 || formatScaled.Match(bare[:end]) {
		return
	}
	for _, w := range words {
		text := ""
		for i := 2; i < len(w); i += 2 {
			if w[i] >= 0 {
				text += code[w[i]:w[i+1]]
			}
		}
		text = collapse(text)
		if w[1] > end || len(text) > 20 || !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) }) {
			continue
		}
		if w[0] < digits {
			f.before = text
		} else {
			f.behind = text
		}
	}
}

// value is a number as its format shows it.
func (w *workbook) value(v string, style int) string {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return cellText(v)
	}
	var as numberFormat
	if style >= 0 && style < len(w.formats) {
		as = w.formats[style]
	}
	switch {
	case as.percent:
		return plainNumber(strconv.FormatFloat(f*100, 'g', 15, 64)) + "%"
	case as.elapsed && f >= 0 && f < 1e6:
		seconds := int(math.Round(f * 24 * 60 * 60))
		span := strconv.Itoa(seconds/3600) + ":" + twoDigits(seconds/60%60)
		if seconds%60 != 0 {
			span += ":" + twoDigits(seconds%60)
		}
		return span
	case (as.date || as.clock) && f >= 0 && f < 2958466: // the end of the year 9999
		return w.moment(f, as)
	}
	return as.withUnit(plainNumber(v))
}

// withUnit is a number with what its format writes beside it.
func (f numberFormat) withUnit(v string) string {
	if f.before != "" {
		sign := v[:len(v)-len(strings.TrimPrefix(v, "-"))]
		if r, _ := utf8.DecodeLastRuneInString(f.before); unicode.IsLetter(r) {
			sign += f.before + " "
		} else {
			sign += f.before
		}
		v = sign + strings.TrimPrefix(v, "-")
	}
	if f.behind != "" {
		v += " " + f.behind
	}
	return v
}

// moment is a day, a time of day, or both. Days are counted from the end of 1899, with a 29 February 1900 that never was.
func (w *workbook) moment(f float64, as numberFormat) string {
	days := math.Floor(f)
	seconds := int(math.Round((f - days) * 86400))
	if w.epoch.Year() == 1899 && days < 60 {
		days++
	}
	t := w.epoch.AddDate(0, 0, int(days)).Add(time.Duration(seconds) * time.Second)
	clock := t.Format("15:04")
	if t.Second() != 0 {
		clock = t.Format("15:04:05")
	}
	switch {
	case !as.date, f < 1:
		return clock
	case as.clock && seconds != 0:
		return t.Format("2006-01-02 ") + clock
	}
	return t.Format("2006-01-02")
}

func twoDigits(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// plainNumber writes a number as people do: 0.3 where the file has 0.30000000000000004, and no exponent where none is needed.
func plainNumber(v string) string {
	if !strings.ContainsAny(v, ".eE") {
		return v
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return v
	}
	short := strconv.FormatFloat(f, 'g', 15, 64)
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e15) {
		return short
	}
	f, _ = strconv.ParseFloat(short, 64)
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// sheetRow is a row with words or numbers in it.
type sheetRow struct {
	number int
	cells  []sheetCell // in order
	size   int         // bytes of text
}

type sheetCell struct {
	column int
	text   string
	value  bool // a number, day or truth, and no words
}

func (r sheetRow) texts() []string {
	var out []string
	for _, c := range r.cells {
		out = append(out, c.text)
	}
	return out
}

var numberedSheet = regexp.MustCompile(`^\p{L}+ ?\d*$`)

// sheet reads one sheet.
func (w *workbook) sheet(s sheetPart) error {
	t := sheetTable{w: w, name: s.name}
	if len(w.sheets) == 1 && len(w.hidden) == 0 && numberedSheet.MatchString(s.name) && strings.ContainsAny(s.name, "0123456789") {
		t.name = "" // "Sheet1" says nothing
	}
	if err := w.a.read(s.part, t.read); err != nil {
		return err
	}
	t.flush()
	return nil
}

// sheetTable turns the rows of a sheet into paragraphs. It looks two rows ahead to tell the names of columns from what stands below
// them.
type sheetTable struct {
	w       *workbook
	name    string
	started bool

	columns map[int]string
	last    int // row written last
	ahead   []sheetRow

	row  sheetRow
	cell struct {
		column, style int
		kind          string
		value, inline strings.Builder
		formula       bool
	}
}

func (t *sheetTable) read(x *xmlReader) error {
	in := ""
	reading := 0
	for {
		tok, err := x.next()
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			switch tok.Name.Local {
			case "row":
				n := number(attr(tok, "r"))
				if n <= t.row.number {
					n = t.row.number + 1
				}
				t.row = sheetRow{number: n}
				t.cell.column = -1
			case "c":
				t.begin(tok)
			case "f":
				t.cell.formula = true
			case "rPh":
				reading++
			}
			in = tok.Name.Local
		case xml.CharData:
			switch {
			case in == "v":
				t.cell.value.Write(tok)
			case in == "t" && reading == 0:
				t.cell.inline.Write(tok)
			}
		case xml.EndElement:
			in = ""
			switch tok.Name.Local {
			case "c":
				t.finish()
			case "rPh":
				reading--
			case "row":
				if len(t.row.cells) > 0 {
					t.add(t.row)
					t.row.cells, t.row.size = nil, 0
				}
			case "sheetData":
				return nil
			}
		}
		if t.w.b.full {
			return nil
		}
	}
}

func (t *sheetTable) begin(tok xml.StartElement) {
	c := &t.cell
	column := c.column + 1 // where it does not say which
	if n := columnNumber(attr(tok, "r")); n >= 0 {
		column = n
	}
	c.column, c.style, c.kind, c.formula = column, number(attr(tok, "s")), attr(tok, "t"), false
	c.value.Reset()
	c.inline.Reset()
}

// columnNumber reads the letters of "BC12", from 0; -1 where there are none.
func columnNumber(s string) int {
	n := 0
	for i := 0; i < len(s) && i < 3 && s[i] >= 'A' && s[i] <= 'Z'; i++ {
		n = n*26 + int(s[i]-'A') + 1
	}
	return n - 1
}

func (t *sheetTable) finish() {
	c := &t.cell
	v := strings.TrimSpace(c.value.String())
	cell := sheetCell{column: c.column}
	switch c.kind {
	case "s":
		if n, err := strconv.Atoi(v); err == nil && n >= 0 && n < len(t.w.strings) {
			cell.text = t.w.strings[n]
		}
	case "inlineStr":
		cell.text = cellText(c.inline.String())
	case "str":
		cell.text = cellText(c.value.String())
	case "b":
		cell.text, cell.value = map[string]string{"1": "TRUE", "0": "FALSE"}[v], true
	case "e":
		cell.text, cell.value = cellText(v), true
	case "d":
		cell.text, cell.value = cellText(strings.TrimSuffix(v, "T00:00:00")), true
	default:
		if v != "" {
			cell.text, cell.value = t.w.value(v, c.style), true
		}
	}
	if v == "" && c.formula && c.kind != "inlineStr" && c.kind != "str" {
		t.w.uncounted++
	}
	if cell.text == "" {
		return
	}
	if n := len(t.row.cells); n > 0 && t.row.cells[n-1].column >= cell.column {
		cell.column = t.row.cells[n-1].column + 1
	}
	// A few bytes name a shared text of megabytes, so a row is weighed before it is joined.
	if t.row.size += len(cell.text) + len(cellSign); t.row.size > t.w.b.max {
		t.w.b.full = true
		return
	}
	t.row.cells = append(t.row.cells, cell)
}

// cellSign parts the cells of a row.
const cellSign = " | "

// add takes a row and writes the one before the last two.
func (t *sheetTable) add(r sheetRow) {
	if t.ahead = append(t.ahead, r); len(t.ahead) > 2 {
		t.next()
	}
}

func (t *sheetTable) flush() {
	for len(t.ahead) > 0 {
		t.next()
	}
}

// next takes the first of the rows: as one of a table, or with the one behind it as names of columns.
func (t *sheetTable) next() {
	r, rest := t.ahead[0], t.ahead[1:]
	used := 1
	if len(rest) > 0 && t.names(r, rest[0]) {
		t.columns = map[int]string{}
		for _, c := range r.cells {
			t.columns[c.column] = c.text
		}
		t.last = r.number
	} else if columns := t.twoLevels(r, rest); columns != nil {
		t.columns, t.last, used = columns, rest[0].number, 2
	} else {
		t.write(r)
	}
	t.ahead = slices.Clone(t.ahead[used:])
}

func (t *sheetTable) write(r sheetRow) {
	var out []string
	size := r.size
	for _, c := range r.cells {
		name := t.columns[c.column]
		if size += len(name); size > t.w.b.max {
			t.w.b.full = true
			return
		}
		if name != "" {
			out = append(out, name+": "+c.text)
		} else {
			out = append(out, c.text)
		}
	}
	t.last = r.number
	t.paragraph(strings.Join(out, cellSign))
}

// names reports whether a row says what stands below it. The first one that may does; behind a blank row another table may
// begin, if words stand above numbers there.
func (t *sheetTable) names(r, next sheetRow) bool {
	n, first, names := len(r.cells), r.cells[0].column, r.texts()
	if first > 0 && next.cells[0].column == first-1 && !next.cells[0].value { // a column without a name
		first--
		names = append([]string{""}, names...)
	}
	if n < 2 || r.cells[n-1].column-r.cells[0].column != n-1 || !namesColumns(names) || next.cells[0].column < first || next.cells[len(next.cells)-1].column > r.cells[n-1].column {
		return false
	}
	if slices.ContainsFunc(r.cells, func(c sheetCell) bool { return c.value && yearOf(c.text) == 0 }) {
		return false
	}
	if t.columns == nil {
		return true
	}
	return r.number > t.last+1 && slices.ContainsFunc(next.cells, func(c sheetCell) bool { return c.value })
}

// twoLevels gives the names of columns where a row and the one below it name them together, nil where they do not.
func (t *sheetTable) twoLevels(r sheetRow, rest []sheetRow) map[int]string {
	if len(rest) < 2 || len(r.cells) < 2 || len(rest[0].cells) < 2 || t.columns != nil && r.number <= t.last+1 {
		return nil
	}
	below, values := rest[0], rest[1]
	if below.number != r.number+1 || values.number != r.number+2 || !r.allNames() || !below.allNames() {
		return nil
	}
	first, last := min(r.cells[0].column, below.cells[0].column), max(r.cells[len(r.cells)-1].column, below.cells[len(below.cells)-1].column)
	if last-first >= len(r.cells)+len(below.cells) || values.cells[0].column < first || values.cells[len(values.cells)-1].column > last {
		return nil
	}
	lower := below.between(first, last)
	joined, _ := joinNames(r.between(first, last), lower)
	if joined == nil || !slices.ContainsFunc(values.cells, func(c sheetCell) bool { return c.value && lower[c.column-first] != "" }) {
		return nil
	}
	names := map[int]string{}
	for i, name := range joined {
		names[first+i] = name
	}
	return names
}

// allNames reports whether every cell of a row may be a name of a column.
func (r sheetRow) allNames() bool {
	return !slices.ContainsFunc(r.cells, func(c sheetCell) bool { return !mayName(c.text) || c.value && yearOf(c.text) == 0 })
}

// between gives the words of a row from one column to another, empty where it has no cell.
func (r sheetRow) between(first, last int) []string {
	out := make([]string, last-first+1)
	for _, c := range r.cells {
		out[c.column-first] = c.text
	}
	return out
}

func (t *sheetTable) paragraph(s string) {
	if !t.started {
		t.started = true
		t.w.b.heading(t.name, 1)
	}
	t.w.b.block(s)
}
