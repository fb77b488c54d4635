package web

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Answers that are given whole are packed for those who take it: over a slow line a page comes in a third of the time.
// Streams are not, as each of their events leaves at once.

// worthPacking is the size from which packing saves a packet.
const worthPacking = 1400

// packable reports whether packing makes a thing of this type smaller.
func packable(mediaType string) bool {
	kind, _, _ := mime.ParseMediaType(mediaType)
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml") || kind == "application/javascript" || kind == "application/jsonl"
}

// takesPacked reports whether the client reads gzip. No answer may be given to others as it was given to it.
func takesPacked(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Accept-Encoding")
	for _, part := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		coding, params, _ := strings.Cut(part, ";")
		if strings.TrimSpace(coding) != "gzip" {
			continue
		}
		weight, found := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		return !found || err == nil && q > 0
	}
	return false
}

func pack(b []byte, level int) []byte {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		return nil
	}
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// packedFiles are the files of a page that are worth it, by name.
func packedFiles(files fs.FS) map[string][]byte {
	out := map[string][]byte{}
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !packable(mime.TypeByExtension(path.Ext(name))) {
			return nil
		}
		if b, err := fs.ReadFile(files, name); err == nil && len(b) >= worthPacking {
			out[name] = pack(b, gzip.BestCompression)
		}
		return nil
	})
	return out
}
