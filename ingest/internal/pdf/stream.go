package pdf

import (
	"bytes"
	"compress/flate"
	"encoding/ascii85"
	"errors"
	"fmt"
	"io"
)

// decode unpacks a stream. A stream that is damaged gives what could be unpacked of it.
func (f *File) decode(s *stream, decrypt bool) ([]byte, error) {
	if err := f.ctx.Err(); err != nil {
		return nil, err
	}
	data := s.data
	if decrypt {
		data = f.crypt.stream(data, s)
	}
	filters, params := f.filters(s.dict)
	for i, filter := range filters {
		var err error
		if data, err = f.unfilter(data, filter, params[i]); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func (f *File) filters(d dict) ([]name, []dict) {
	first := func(keys ...name) any {
		for _, k := range keys {
			if v := f.resolve(d[k]); v != nil {
				return v
			}
		}
		return nil
	}
	var names []name
	switch v := first("Filter", "F").(type) {
	case name:
		names = []name{v}
	case array:
		for _, x := range v[:min(len(v), 8)] {
			names = append(names, f.name(x))
		}
	}
	params := make([]dict, len(names))
	switch v := first("DecodeParms", "DP").(type) {
	case dict:
		if len(params) > 0 {
			params[0] = v
		}
	case array:
		for i := range min(len(params), len(v)) {
			params[i], _ = f.dict(v[i])
		}
	}
	return names, params
}

func (f *File) unfilter(data []byte, filter name, params dict) ([]byte, error) {
	switch filter {
	case "FlateDecode", "Fl":
		out, err := f.inflate(data)
		if err != nil {
			return nil, err
		}
		return f.unpredict(out, params)
	case "LZWDecode", "LZW":
		early := true
		if n, ok := f.number(params["EarlyChange"]); ok && n == 0 {
			early = false
		}
		out, err := f.spend(unLZW(data, early))
		if err != nil {
			return nil, err
		}
		return f.unpredict(out, params)
	case "ASCII85Decode", "A85":
		return f.spend(unASCII85(data), nil)
	case "ASCIIHexDecode", "AHx":
		l := lexer{append([]byte{'<'}, data...), 0}
		return f.spend([]byte(l.hex()), nil)
	case "RunLengthDecode", "RL":
		return f.spend(unRunLength(data))
	case "Crypt", "":
		return data, nil
	}
	return nil, fmt.Errorf("%w: the filter %s is not known", ErrBroken, filter)
}

// spend takes what was unpacked out of the purse.
func (f *File) spend(b []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if f.purse -= int64(len(b)); f.purse < 0 {
		return nil, fmt.Errorf("%w: more than %d MB", ErrTooLarge, maxUnpack>>20)
	}
	return b, nil
}

func (f *File) inflate(data []byte) ([]byte, error) {
	// The zlib header is skipped and the checksum not asked for: both are wrong in files that every viewer shows.
	if len(data) > 2 && data[0]&0x0f == 8 && (int(data[0])<<8|int(data[1]))%31 == 0 {
		data = data[2:]
	}
	var out bytes.Buffer
	r := flate.NewReader(bytes.NewReader(data))
	limit := min(int64(maxStream), f.purse) + 1
	n, err := io.Copy(&out, io.LimitReader(r, limit))
	if n >= limit {
		return nil, fmt.Errorf("%w: a stream of more than %d MB", ErrTooLarge, maxStream>>20)
	}
	if err != nil && out.Len() == 0 {
		return nil, fmt.Errorf("%w: a stream cannot be unpacked (%v)", ErrBroken, err)
	}
	return f.spend(out.Bytes(), nil)
}

// unpredict undoes what makes data pack better: each byte is stored as the difference from one before it.
func (f *File) unpredict(data []byte, params dict) ([]byte, error) {
	get := func(key name, def int) int {
		if n, ok := f.number(params[key]); ok && n >= 1 && n < 1<<16 { // less than 1 would be a row of no bytes
			return int(n)
		}
		return def
	}
	kind := get("Predictor", 1)
	if kind == 1 {
		return data, nil
	}
	colors, bits, columns := get("Colors", 1), get("BitsPerComponent", 8), get("Columns", 1)
	bpp := max(1, colors*bits/8)
	row := (colors*bits*columns + 7) / 8
	if row > 1<<24 {
		return nil, ErrBroken
	}
	if kind == 2 {
		if bits == 8 {
			for at := 0; at < len(data); at += row {
				line := data[at:min(len(data), at+row)]
				for i := bpp; i < len(line); i++ {
					line[i] += line[i-bpp]
				}
			}
		}
		return data, nil
	}
	out := make([]byte, 0, len(data))
	prev := make([]byte, row)
	for len(data) > 1 {
		tag, line := data[0], data[1:min(len(data), row+1)]
		data = data[1+len(line):]
		pngRow(tag, line, prev, bpp)
		out = append(out, line...)
		copy(prev, line)
	}
	return out, nil
}

func pngRow(tag byte, line, prev []byte, bpp int) {
	for i := range line {
		var left, upLeft int
		if i >= bpp {
			left, upLeft = int(line[i-bpp]), int(prev[i-bpp])
		}
		up := int(prev[i])
		switch tag {
		case 1:
			line[i] += byte(left)
		case 2:
			line[i] += byte(up)
		case 3:
			line[i] += byte((left + up) / 2)
		case 4:
			line[i] += byte(paeth(left, up, upLeft))
		}
	}
}

func paeth(a, b, c int) int {
	p := a + b - c
	pa, pb, pc := abs(p-a), abs(p-b), abs(p-c)
	switch {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func unASCII85(data []byte) []byte {
	var clean []byte
	for _, c := range bytes.TrimPrefix(bytes.TrimSpace(data), []byte("<~")) {
		if c == '~' {
			break
		}
		if c >= '!' && c <= 'u' || c == 'z' {
			clean = append(clean, c)
		}
	}
	out := make([]byte, len(clean)*4+8)
	n, _, _ := ascii85.Decode(out, clean, true)
	return out[:n]
}

var errLarge = fmt.Errorf("%w: a stream of more than %d MB", ErrTooLarge, maxStream>>20)

func unRunLength(data []byte) ([]byte, error) {
	var out []byte
	for i := 0; i < len(data); {
		n := int(data[i])
		i++
		switch {
		case n == 128:
			return out, nil
		case n < 128:
			end := min(len(data), i+n+1)
			out = append(out, data[i:end]...)
			i = end
		case i < len(data):
			out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
			i++
		}
		if len(out) > maxStream {
			return nil, errLarge
		}
	}
	return out, nil
}

// unLZW unpacks the variant of LZW that PDF and TIFF share: codes of 9 to 12 bits, most significant bit first, widened
// one code early unless told otherwise.
func unLZW(data []byte, early bool) ([]byte, error) {
	type link struct {
		prev int16
		c    byte
		size int32
	}
	var table [4096]link
	for i := range 256 {
		table[i] = link{-1, byte(i), 1}
	}
	next, width := 258, 9
	prev := -1
	var out []byte
	acc, bits := 0, 0
	slack := 0
	if early {
		slack = 1
	}
	for _, c := range data {
		acc = acc<<8 | int(c)
		bits += 8
		for bits >= width {
			code := acc >> (bits - width) & (1<<width - 1)
			bits -= width
			acc &= 1<<bits - 1
			switch {
			case code == 257:
				return out, nil
			case code == 256:
				next, width, prev = 258, 9, -1
				continue
			case code > next || prev < 0 && code > 257 || code == next && prev < 0:
				return out, nil // damaged; what came so far is good
			}
			size := 1
			if code < next {
				size = int(table[code].size)
			} else {
				size = int(table[prev].size) + 1
			}
			at := len(out)
			if at+size > maxStream {
				return nil, errLarge
			}
			out = append(out, make([]byte, size)...)
			walk, end := code, at+size
			if code == next {
				end--
				walk = prev
			}
			for i := end; i > at && walk >= 0; {
				i--
				out[i] = table[walk].c
				walk = int(table[walk].prev)
			}
			if code == next {
				out[at+size-1] = out[at]
			}
			if prev >= 0 && next < 4096 {
				table[next] = link{int16(prev), out[at], table[prev].size + 1}
				next++
			}
			for width < 12 && next+slack >= 1<<width {
				width++
			}
			prev = code
		}
	}
	return out, nil
}

func isLimit(err error) bool { return errors.Is(err, ErrTooLarge) }
