// Package pdf reads the text of PDF files: what is written, where on which page, in what size.
//
// It is written for files that come from anywhere. Every structure that can refer to itself is walked with a memory of
// where it was; every length is held against what the file has; what is unpacked is counted against a purse. A broken
// table of contents is built again from the file. It reads from memory, knows no fonts beyond what the file says of
// them, draws nothing, and leaves the order of the words to the caller.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// The reasons for which a file cannot be read.
var (
	ErrEncrypted = errors.New("needs a password")
	ErrTruncated = errors.New("ends before its end")
	ErrBroken    = errors.New("is not a proper PDF")
	ErrTooLarge  = errors.New("unpacks to too much")
)

const (
	maxObjects = 1 << 20   // a book has some ten thousand
	maxStream  = 64 << 20  // unpacked, of one stream
	maxUnpack  = 768 << 20 // unpacked, of all streams that are needed for the text
	maxCached  = 48 << 20  // of unpacked object streams kept at hand
)

// File is an open PDF.
type File struct {
	ctx     context.Context
	b       []byte
	entries map[int]entry
	trailer dict
	crypt   *crypt
	rebuilt bool

	purse   int64 // bytes that may still be unpacked
	scan    int64 // bytes that may still be read as values
	objstms map[int]*objStm
	cached  int
	objects map[int]any // small parsed objects
	fonts   map[ref]*font
	busy    map[int]bool // objects being read now, against references that bite their tail
}

// entry says where an object is: at an offset of the file, or the index within an object stream.
type entry struct {
	offset int // in the file, where in is 0
	gen    int
	in     int // number of the object stream
	index  int
}

// Open reads the structure of a file. It tries the empty password where the file is encrypted.
func Open(ctx context.Context, b []byte) (*File, error) {
	f := &File{ctx: ctx, b: b, purse: maxUnpack, scan: 16*int64(len(b)) + 256<<20}
	// Offsets count from the header, which need not be the first byte.
	if i := bytes.Index(b[:min(len(b), 1024)], []byte("%PDF-")); i > 0 {
		f.b = b[i:]
	}
	tail := f.b[max(0, len(f.b)-2048):]
	at := bytes.LastIndex(tail, []byte("startxref"))
	if at < 0 && !bytes.Contains(tail, []byte("%%EOF")) {
		return nil, fmt.Errorf("%w: the table at its end is missing", ErrTruncated)
	}
	err := errors.New("no startxref")
	if at >= 0 {
		l := lexer{tail, at + len("startxref")}
		if off, ok := l.value(0).(float64); ok {
			err = f.readXrefs(int(off))
		}
	}
	if errors.Is(err, ErrTruncated) {
		return nil, err
	}
	if err != nil || !f.hasPages() {
		if err := f.rebuild(); err != nil {
			return nil, err
		}
	}
	if err := f.decrypt(); err != nil {
		return nil, err
	}
	if !f.hasPages() {
		return nil, fmt.Errorf("%w: it has no pages", ErrBroken)
	}
	return f, nil
}

func (f *File) hasPages() bool {
	root, ok := f.dict(f.trailer["Root"])
	if !ok {
		return false
	}
	_, ok = f.dict(root["Pages"])
	return ok
}

func (f *File) reset() {
	f.entries = map[int]entry{}
	f.trailer = dict{}
	f.objstms = map[int]*objStm{}
	f.objects = map[int]any{}
	f.fonts = map[ref]*font{}
	f.busy = map[int]bool{}
	f.cached = 0
}

// readXrefs follows the chain of cross-reference sections from the newest to the oldest. What a newer one says stands.
func (f *File) readXrefs(at int) error {
	f.reset()
	seen := map[int]bool{}
	queue := []int{at}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if seen[at] || len(seen) > 4096 {
			continue
		}
		seen[at] = true
		if at >= len(f.b) {
			return fmt.Errorf("%w: a table lies at byte %d of %d", ErrTruncated, at, len(f.b))
		}
		if at < 0 {
			return ErrBroken
		}
		d, err := f.readXref(at)
		if err != nil {
			return err
		}
		for k, v := range d {
			if _, ok := f.trailer[k]; !ok {
				f.trailer[k] = v
			}
		}
		// A file for old and new readers has a table and, for the objects in streams, a stream beside it.
		for _, k := range []name{"XRefStm", "Prev"} {
			if off, ok := d[k].(float64); ok {
				queue = append(queue, int(off))
			}
		}
	}
	return nil
}

func (f *File) readXref(at int) (dict, error) {
	l := lexer{f.b, at}
	v := l.value(0)
	if v == keyword("xref") {
		return f.readTable(&l)
	}
	obj, err := f.objectAt(at, -1)
	if err != nil {
		return nil, err
	}
	s, ok := obj.(*stream)
	if !ok || s.dict["Type"] != name("XRef") {
		return nil, fmt.Errorf("%w: no table at byte %d", ErrBroken, at)
	}
	return s.dict, f.readXrefStream(s)
}

func (f *File) readTable(l *lexer) (dict, error) {
	for {
		switch v := l.value(0).(type) {
		case keyword:
			if v != "trailer" {
				return nil, ErrBroken
			}
			d, ok := l.value(0).(dict)
			if !ok {
				return nil, ErrBroken
			}
			return d, nil
		case float64:
			n, ok := l.value(0).(float64)
			if !ok || n < 0 {
				return nil, ErrBroken
			}
			for i := range int(min(n, maxObjects)) {
				off, ok1 := l.value(0).(float64)
				gen, ok2 := l.value(0).(float64)
				kind, ok3 := l.value(0).(keyword)
				if !ok1 || !ok2 || !ok3 {
					return nil, ErrBroken
				}
				if kind == "n" {
					f.enter(int(v)+i, entry{offset: int(off), gen: int(gen)})
				} else {
					f.enter(int(v)+i, entry{offset: -1})
				}
			}
		default:
			return nil, ErrBroken
		}
	}
}

func (f *File) enter(num int, e entry) {
	if _, ok := f.entries[num]; !ok && len(f.entries) < maxObjects {
		f.entries[num] = e
	}
}

func (f *File) readXrefStream(s *stream) error {
	data, err := f.decode(s, false)
	if err != nil {
		return err
	}
	w, _ := s.dict["W"].(array)
	var width [3]int
	if len(w) < 3 {
		return ErrBroken
	}
	for i := range width {
		n, _ := w[i].(float64)
		if n < 0 || n > 8 {
			return ErrBroken
		}
		width[i] = int(n)
	}
	row := width[0] + width[1] + width[2]
	if row == 0 {
		return ErrBroken
	}
	index, _ := s.dict["Index"].(array)
	if index == nil {
		index = array{0.0, s.dict["Size"]}
	}
	field := func(b []byte) int {
		n := 0
		for _, c := range b {
			n = n<<8 | int(c)
		}
		return n
	}
	for i := 0; i+1 < len(index); i += 2 {
		start, _ := index[i].(float64)
		count, _ := index[i+1].(float64)
		for n := 0; n < int(count) && len(data) >= row; n++ {
			kind := 1
			if width[0] > 0 {
				kind = field(data[:width[0]])
			}
			a, b := field(data[width[0]:width[0]+width[1]]), field(data[width[0]+width[1]:row])
			data = data[row:]
			switch kind {
			case 0:
				f.enter(int(start)+n, entry{offset: -1})
			case 1:
				f.enter(int(start)+n, entry{offset: a, gen: b})
			case 2:
				f.enter(int(start)+n, entry{in: a, index: b})
			}
		}
	}
	return nil
}

// rebuild finds the objects by looking through the whole file. Of several with one number the last counts.
func (f *File) rebuild() error {
	f.reset()
	f.rebuilt = true
	var streams []int
	found := 0
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i + 3
		num, gen, start, ok := objHeader(f.b, at-3)
		if !ok {
			continue
		}
		if found++; found > 2*maxObjects || len(f.entries) >= maxObjects {
			return fmt.Errorf("%w: more than %d objects", ErrTooLarge, maxObjects)
		}
		f.entries[num] = entry{offset: start, gen: gen}
		head := f.b[at:min(len(f.b), at+400)]
		if bytes.Contains(head, []byte("/ObjStm")) {
			streams = append(streams, num)
		}
		if bytes.Contains(head, []byte("/XRef")) || bytes.Contains(head, []byte("/Catalog")) {
			f.rebuildTrailer(num)
		}
		if err := f.ctx.Err(); err != nil {
			return err
		}
	}
	for at := 0; ; {
		i := bytes.Index(f.b[at:], []byte("trailer"))
		if i < 0 {
			break
		}
		at += i + 7
		l := lexer{f.b, at}
		if d, ok := l.value(0).(dict); ok {
			for k, v := range d {
				f.trailer[k] = v
			}
		}
	}
	if err := f.decrypt(); err != nil {
		return err
	}
	for _, num := range streams {
		f.rebuildStream(num)
	}
	return nil
}

func (f *File) rebuildTrailer(num int) {
	obj := f.object(num)
	delete(f.objects, num)
	var d dict
	switch o := obj.(type) {
	case *stream:
		d = o.dict
	case dict:
		d = o
	}
	switch d["Type"] {
	case name("XRef"):
		for _, k := range []name{"Root", "Info", "Encrypt", "ID"} {
			if v, ok := d[k]; ok {
				f.trailer[k] = v
			}
		}
	case name("Catalog"):
		if _, ok := f.trailer["Root"]; !ok {
			f.trailer["Root"] = ref{num, f.entries[num].gen}
		}
	}
}

func (f *File) rebuildStream(num int) {
	s, err := f.objStm(num)
	if err != nil {
		return
	}
	for i, id := range s.nums {
		if _, ok := f.entries[id]; !ok && len(f.entries) < maxObjects {
			f.entries[id] = entry{in: num, index: i}
		}
	}
	if _, ok := f.trailer["Root"]; ok {
		return
	}
	for i, id := range s.nums {
		if d, ok := s.at(i).(dict); ok && d["Type"] == name("Catalog") {
			f.trailer["Root"] = ref{id, 0}
		}
	}
}

// objHeader reads backwards from "obj": a generation, a number, and what stands before them must be no part of a word.
func objHeader(b []byte, at int) (num, gen, start int, ok bool) {
	i := at
	back := func() (int, bool) {
		for i > 0 && isSpace(b[i-1]) {
			i--
		}
		end := i
		for i > 0 && b[i-1] >= '0' && b[i-1] <= '9' && end-i < 10 {
			i--
		}
		if i == end {
			return 0, false
		}
		n := 0
		for _, c := range b[i:end] {
			n = n*10 + int(c-'0')
		}
		return n, true
	}
	if gen, ok = back(); !ok {
		return
	}
	if i == 0 || !isSpace(b[i-1]) {
		return 0, 0, 0, false
	}
	if num, ok = back(); !ok {
		return
	}
	return num, gen, i, gen < 1<<20 && num < 1<<31
}

// objectAt reads the object that begins at an offset. want is its number, or -1 for any.
func (f *File) objectAt(at, want int) (any, error) {
	if at < 0 || at >= len(f.b) {
		return nil, fmt.Errorf("%w: object %d lies at byte %d of %d", ErrTruncated, want, at, len(f.b))
	}
	// A value that is never closed reaches to the end of the file; many of them must not do so one by one.
	if f.scan < 0 {
		return nil, fmt.Errorf("%w: its objects overlap", ErrTooLarge)
	}
	l := lexer{f.b, at}
	defer func() { f.scan -= int64(l.pos - at) }()
	num, ok1 := l.value(0).(float64)
	gen, ok2 := l.value(0).(float64)
	if !ok1 || !ok2 || l.value(0) != keyword("obj") || want >= 0 && int(num) != want {
		return nil, fmt.Errorf("%w: no object %d at byte %d", ErrBroken, want, at)
	}
	id := ref{int(num), int(gen)}
	v := l.value(0)
	if n, ok := v.(float64); ok {
		// An object may be nothing but a reference.
		save := l.pos
		if g, ok := l.value(0).(float64); ok && l.value(0) == keyword("R") {
			if r, ok := makeRef(n, g); ok {
				return r, nil
			}
		}
		l.pos = save
	}
	d, ok := v.(dict)
	if !ok {
		if _, isWord := v.(keyword); isWord {
			return nil, nil
		}
		return f.crypt.strings(v, id), nil
	}
	save := l.pos
	if l.value(0) != keyword("stream") {
		l.pos = save
		return f.crypt.strings(d, id), nil
	}
	return &stream{dict: f.crypt.strings(d, id).(dict), data: f.streamData(d, l.pos), id: id}, nil
}

// streamData gives the bytes of a stream. The length is believed where "endstream" follows it.
func (f *File) streamData(d dict, at int) []byte {
	if at < len(f.b) && f.b[at] == '\r' {
		at++
	}
	if at < len(f.b) && f.b[at] == '\n' {
		at++
	}
	rest := f.b[min(at, len(f.b)):]
	if n, ok := f.number(d["Length"]); ok && n >= 0 && int(n) <= len(rest) {
		l := lexer{rest, int(n)}
		if l.value(0) == keyword("endstream") {
			return rest[:int(n)]
		}
	}
	i := bytes.Index(rest, []byte("endstream"))
	if i < 0 {
		i = len(rest)
	}
	f.scan -= int64(i)
	return rest[:i]
}

// object gives an object by its number, nil where there is none.
func (f *File) object(num int) any {
	if v, ok := f.objects[num]; ok {
		return v
	}
	e, ok := f.entries[num]
	if !ok || f.busy[num] || e.in == 0 && e.offset < 0 {
		return nil
	}
	f.busy[num] = true
	defer delete(f.busy, num)
	var v any
	if e.in > 0 {
		s, err := f.objStm(e.in)
		if err != nil {
			return nil
		}
		v = s.find(num, e.index)
	} else {
		v, _ = f.objectAt(e.offset, num)
	}
	if len(f.objects) < 200000 {
		f.objects[num] = v
	}
	return v
}

// resolve follows references to a value.
func (f *File) resolve(v any) any {
	for range 16 {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		v = f.object(r.num)
	}
	return nil
}

func (f *File) dict(v any) (dict, bool) {
	switch v := f.resolve(v).(type) {
	case dict:
		return v, true
	case *stream:
		return v.dict, true
	}
	return nil, false
}

func (f *File) number(v any) (float64, bool) {
	n, ok := f.resolve(v).(float64)
	return n, ok
}

func (f *File) array(v any) array {
	a, _ := f.resolve(v).(array)
	return a
}

func (f *File) name(v any) name {
	n, _ := f.resolve(v).(name)
	return n
}

// objStm is an object stream: many small objects packed together.
type objStm struct {
	data []byte
	nums []int
	offs []int
}

func (f *File) objStm(num int) (*objStm, error) {
	if s, ok := f.objstms[num]; ok {
		if s == nil {
			return nil, ErrBroken
		}
		return s, nil
	}
	f.objstms[num] = nil
	s, ok := f.object(num).(*stream)
	if !ok {
		return nil, ErrBroken
	}
	data, err := f.decode(s, true)
	if err != nil {
		return nil, err
	}
	n, _ := f.number(s.dict["N"])
	first, _ := f.number(s.dict["First"])
	if first < 0 || int(first) > len(data) || n < 0 {
		return nil, ErrBroken
	}
	out := &objStm{data: data}
	l := lexer{data[:int(first)], 0}
	for range int(min(n, maxObjects)) {
		id, ok1 := l.value(0).(float64)
		off, ok2 := l.value(0).(float64)
		if !ok1 || !ok2 {
			break
		}
		out.nums = append(out.nums, int(id))
		out.offs = append(out.offs, int(first)+int(off))
	}
	if f.cached += len(data); f.cached > maxCached {
		f.objstms = map[int]*objStm{}
		f.cached = len(data)
	}
	f.objstms[num] = out
	return out, nil
}

func (s *objStm) find(num, index int) any {
	if index < len(s.nums) && s.nums[index] == num {
		return s.at(index)
	}
	for i, n := range s.nums {
		if n == num {
			return s.at(i)
		}
	}
	return nil
}

func (s *objStm) at(i int) any {
	if s.offs[i] < 0 || s.offs[i] >= len(s.data) {
		return nil
	}
	l := lexer{s.data, s.offs[i]}
	v := l.value(0)
	if n, ok := v.(float64); ok {
		if g, ok := l.value(0).(float64); ok && l.value(0) == keyword("R") {
			if r, ok := makeRef(n, g); ok {
				return r
			}
		}
	}
	switch v.(type) {
	case keyword, eof:
		return nil
	}
	return v
}
