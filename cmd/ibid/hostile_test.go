package main

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program gives the path of the program itself: the test binary under its name runs it (see TestMain).
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ibid")
	if err := os.Symlink(self, path); err != nil {
		t.Skipf("needs symbolic links: %v", err)
	}
	return path
}

func ibidCommand(ctx context.Context, program, data string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "IBID_DATA="+data, "HOME="+data)
	return cmd
}

// Files that nobody would make, beside two that are good: each bad one is named with its reason, the good ones are taken
// in, the exit code is 1, and the memory stays under 512 MB.
func TestHostileFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("makes large files")
	}
	dir := t.TempDir()
	put := func(name string, b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("good-1.md", []byte("# One\n\nThe first good file says something.\n"))
	put("good-2.txt", []byte("The second good file says something else.\n"))
	put("empty.txt", nil)
	put("blank.txt", []byte(" \n\t\n"))
	put("binary.dat", []byte{0, 1, 2, 3, 0xff, 0xfe, 0, 0, 9})
	put("half.pdf", []byte("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Ty"))
	put("bomb.docx", bomb(t))
	put("deep.html", []byte("<html><body>"+strings.Repeat("<div>", 200_000)+"deep down there are words enough to read"+strings.Repeat("</div>", 200_000)))
	put("line.html", append([]byte("<html><body><p>"), bytes.Repeat([]byte("words in one line "), 50<<20/18)...))
	sparse, err := os.Create(filepath.Join(dir, "sparse.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := sparse.Truncate(1 << 30); err != nil {
		t.Fatal(err)
	}
	sparse.Close()
	if err := os.Symlink(".", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	pipes, err := makePipe(filepath.Join(dir, "pipe"))
	if err != nil {
		t.Fatal(err)
	}

	cmd := ibidCommand(t.Context(), program(t), t.TempDir(), "ingest", dir)
	var out bytes.Buffer
	cmd.Stderr = &out
	err = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d (%v), want 1", code, err)
	}
	bad := map[string]string{
		"empty.txt": "empty", "blank.txt": "empty", "binary.dat": "not text", "half.pdf": "", "bomb.docx": "too large",
		"sparse.txt": "too large",
	}
	if pipes {
		bad["pipe"] = "not a regular file"
	}
	for name, reason := range bad {
		if !strings.Contains(out.String(), name+": "+reason) {
			t.Errorf("%s is not named with %q", name, reason)
		}
	}
	for _, name := range []string{"good-1.md:", "good-2.txt:"} {
		if strings.Contains(out.String(), name) {
			t.Errorf("%s is complained about", name)
		}
	}
	memory := peakMemory(cmd.ProcessState)
	t.Logf("peak memory %d MB\n%s", memory, out.String())
	if memory > 512 {
		t.Errorf("peak memory %d MB, at most 512 are allowed", memory)
	}
}

// bomb is a DOCX of few bytes that unpacks to a quarter of a gigabyte.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"[Content_Types].xml", "word/document.xml"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "word/document.xml" {
			io.WriteString(w, `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>`)
			zeros := bytes.Repeat([]byte("a"), 1<<20)
			for range 256 {
				w.Write(zeros)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Killed at any moment of an ingest, the library opens again and the same command completes it.
func TestKilledIngest(t *testing.T) {
	dir, data, exe := t.TempDir(), t.TempDir(), program(t)
	const files = 300
	for i := range files {
		text := fmt.Sprintf("# Note %d\n\n%s\n", i, strings.Repeat(fmt.Sprintf("Sentence %d of a note that is long enough to count. ", i), 40))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(20+chance.IntN(300))*time.Millisecond)
		ibidCommand(ctx, exe, data, "ingest", dir).Run() // the end of the context kills it
		cancel()
	}
	var out bytes.Buffer
	last := ibidCommand(t.Context(), exe, data, "ingest", dir)
	last.Stderr = &out
	if err := last.Run(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	t.Log(strings.TrimSpace(out.String()))
	list, err := ibidCommand(t.Context(), exe, data, "sources").Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(list, []byte("\n")); n != files {
		t.Errorf("the library holds %d sources, want %d", n, files)
	}
	answer, err := ibidCommand(t.Context(), exe, data, "ask", "What is sentence 217 of a note?").Output()
	if err != nil || !bytes.Contains(answer, []byte("217")) {
		t.Errorf("asked after the kills: %v\n%s", err, answer)
	}
}
