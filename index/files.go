package index

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// format is the version of the files.
const format = 1

const (
	manifestName  = "manifest.json"
	temporaryName = "new"
	segmentPrefix = "segment-"
)

// manifest lists the files of the index and says what they were made from. It is replaced as a whole, after the files
// that it lists are on disk.
type manifest struct {
	Format   int      `json:"format"`
	Analyzer int      `json:"analyzer"`
	Record   string   `json:"record"`   // its identity
	Sequence int64    `json:"sequence"` // of the record, up to which the index goes
	Next     int      `json:"next"`     // number of the next file
	Embedder string   `json:"embedder,omitempty"`
	English  string   `json:"english,omitempty"`
	Segments []listed `json:"segments"`
}

// listed is a segment's file and that of its vectors.
type listed struct {
	Words   string `json:"words"`
	Vectors string `json:"vectors,omitempty"`
}

// fits reports whether the files can be used for a record, with words in that English.
func (m manifest) fits(identity, english string) bool {
	return m.Format == format && m.Analyzer == analyzer && m.Record == identity && m.English == english
}

// readManifest gives the manifest of a folder; where there is none, or it cannot be read as one, the error wraps
// errBroken.
func readManifest(dir string) (manifest, error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return manifest{}, fmt.Errorf("no manifest: %w", errBroken)
	}
	if err != nil {
		return manifest{}, err
	}
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return manifest{}, fmt.Errorf("manifest: %w: %w", err, errBroken)
	}
	return m, nil
}

// save replaces the manifest.
func (m manifest) save(dir string) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	_, err = writeFile(dir, func(uint32) string { return manifestName }, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
	return err
}

// writeFile writes a file under another name first, so that under its own, which its checksum is part of, it is always
// whole. The other name is the same each time, as only one process writes.
func writeFile(dir string, named func(sum uint32) string, write func(io.Writer) error) (name string, err error) {
	temporary := filepath.Join(dir, temporaryName)
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	sum := crc32.New(castagnoli)
	w := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<18)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(temporary))
	}
	name = named(sum.Sum32())
	return name, os.Rename(temporary, filepath.Join(dir, name))
}

// load opens a segment's file. The file is closed with the last view that uses it, when the garbage collector finds it:
// a question may still be reading when the next view has taken over.
func load(dir, name string) (*segment, error) {
	if name != filepath.Base(name) || !strings.HasPrefix(name, segmentPrefix) {
		return nil, fmt.Errorf("segment %q: %w", name, errBroken)
	}
	f, err := os.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("segment %s is lost: %w", name, errBroken)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s, err := openSegment(name, f, info.Size())
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// sweep deletes what no manifest lists any more. What cannot be deleted now, as another process has it open, goes later.
func (m manifest) sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	kept := map[string]bool{}
	for _, s := range m.Segments {
		kept[s.Words], kept[s.Vectors] = true, true
	}
	for _, e := range entries {
		name := e.Name()
		ours := name == temporaryName || strings.HasPrefix(name, segmentPrefix) || strings.HasPrefix(name, vectorsPrefix)
		if ours && !kept[name] {
			_ = os.Remove(filepath.Join(dir, name))
		}
	}
}

// inMemory makes a segment that is in no file, and so has no name.
func inMemory(write func(io.Writer) error) (*segment, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return nil, err
	}
	return openSegment("", bytes.NewReader(b.Bytes()), int64(b.Len()))
}
