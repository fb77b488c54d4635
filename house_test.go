package ibid_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ibid-dev/ibid"

// floors says which way doors open: a room imports rooms of lower floors only, and its own sub-rooms.
var floors = map[string]int{
	"": 0, "text": 0, "internal/listing": 0, "internal/offsets": 0, "internal/pageurl": 0, "internal/wording": 0, "examples": 0,
	"internal/durable": 1, "ingest": 1, "index": 1, "marker": 1, "attribute": 1, "entail": 1, "conflict": 1, "gate": 1, "cite": 1, "ledger": 1, "audit": 1, "experiment": 1, "interop": 1, "quality": 1, "graph": 1, "api": 1,
	"reason": 1, // takes questions apart: text in, text out
	"llm":    2, "fetch": 2, "capture": 2, "sqlite": 2, "postgres": 2, "storetest": 2, "client": 2,
	"workflow": 3,
	"web":      4, "mcp": 4, "eval": 4,
	"cmd": 5, "bench": 5,
}

// outside are packages that reach out of the process, or are not the same twice. Floor 1 and below must not.
var outside = []string{"net", "net/http", "database/sql", "os", "os/exec", "math/rand", "math/rand/v2", "crypto/rand", "syscall"}

// exceptions name a room, what it may do that its floor may not, and why.
var exceptions = map[string]map[string]string{
	"internal/durable": {"os": "writes the files that floors above name"},
	"index":            {"os": "keeps its files in the folder that is handed to it"},
	"cite":             {"os": "reads the styles of the system's own folders"},
}

// TestHouse reads the imports out of the files themselves: a version that asked `go list` was served a cached pass.
func TestHouse(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" && name != "internal/testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && name != ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		checkFile(t, filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 8 {
		t.Fatalf("read %d files: the walk is broken", files)
	}
}

func checkFile(t *testing.T, name string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return
	}
	room := roomOf(path.Dir(name))
	floor, known := floors[room]
	if file.Name.Name == "main" {
		room, floor, known = "cmd", floors["cmd"], true
	}
	if room == "internal/testdata" {
		return
	}
	if !known {
		t.Errorf("%s: room %q has no floor: add it to the table, with a thought about where it belongs", name, room)
		return
	}
	for _, imp := range file.Imports {
		to, _ := strconv.Unquote(imp.Path.Value)
		inner, ours := strings.CutPrefix(to, module)
		switch {
		case ours:
			target := roomOf(strings.TrimPrefix(inner, "/"))
			if target == "internal/testdata" && file.Name.Name != "main" {
				t.Errorf("%s: imports %s, which is for tests and training", name, target)
			}
			if target != room && floors[target] >= floor && floors[target] > 0 {
				t.Errorf("%s (floor %d) imports %s (floor %d): doors open downward", name, floor, target, floors[target])
			}
		case room == "" && strings.Contains(to, "."):
			t.Errorf("%s imports %s: the root package has the standard library only", name, to)
		case floor <= 1 && slices.Contains(outside, to) && exceptions[room][to] == "":
			t.Errorf("%s imports %s: a room of floor %d has no network, database, environment or chance of its own", name, to, floor)
		case floor == 3 && (to == "net/http" || to == "database/sql" || to == "os"):
			t.Errorf("%s imports %s: workflow reaches the world through interfaces", name, to)
		}
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			t.Errorf("%s: has an init", name)
		}
	}
	if floor < 5 {
		noClockNoExit(t, name, file, floor)
	}
	if room != "internal/wording" {
		noKindTakenOff(t, name, file)
	}
}

// noKindTakenOff finds who takes the word for the kind of an error off a message by hand: it was done in eleven places, and ten of
// them left one of two.
func noKindTakenOff(t *testing.T, name string, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Error" {
			if of, ok := sel.X.(*ast.SelectorExpr); ok && of.Sel.Name == "ErrInvalid" {
				t.Errorf("%s: reads the text of ErrInvalid: wording.Of takes it off a message", name)
			}
		}
		return true
	})
}

// noClockNoExit finds the calls that only the program itself may make.
func noClockNoExit(t *testing.T, name string, file *ast.File, floor int) {
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		switch call := pkg.Name + "." + sel.Sel.Name; call {
		case "time.Now", "time.Since", "time.Until":
			if floor <= 1 {
				t.Errorf("%s: calls %s: time comes from outside", name, call)
			}
		case "os.Exit", "os.Getenv", "os.LookupEnv", "log.Fatal", "log.Fatalf":
			t.Errorf("%s: calls %s: only the program reads the environment and exits", name, call)
		}
		return true
	})
}

// roomOf gives the room a folder belongs to: its first part, or both parts below internal.
func roomOf(dir string) string {
	if dir == "." || dir == "" {
		return ""
	}
	parts := strings.Split(dir, "/")
	if parts[0] == "internal" && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// TestNoProgramInTheRepository holds that what a build leaves behind is not committed: one of 130 MB was, which every clone fetched.
func TestNoProgramInTheRepository(t *testing.T) {
	os.Stat(".git/index") // so that a pass is not served from the cache once files were added
	list, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("needs git and a checkout: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		f, err := os.Open(name)
		if err != nil {
			continue // removed, and not committed yet
		}
		head := make([]byte, 4)
		io.ReadFull(f, head)
		f.Close()
		for _, magic := range []string{"\x7fELF", "MZ\x90\x00", "\xcf\xfa\xed\xfe", "!<ar"} {
			if string(head) == magic {
				t.Errorf("%s is a program, and no source: git rm --cached it", name)
			}
		}
	}
}

// TestRootIsDocumented holds that `go doc` of the root package leaves no exported name without a word.
func TestRootIsDocumented(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				// String is known to everyone.
				if d.Name.IsExported() && d.Doc == nil && d.Name.Name != "String" {
					t.Errorf("%s: %s has no comment", name, d.Name.Name)
				}
			case *ast.GenDecl:
				documented(t, name, d)
			}
		}
	}
}

func documented(t *testing.T, file string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
				t.Errorf("%s: type %s has no comment", file, s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					t.Errorf("%s: %s has no comment", file, n.Name)
				}
			}
		}
	}
}

// Sources and answers come in every script. Each page that quotes them lets a paragraph run as its own words do, or the full stop of
// Arabic and Hebrew stands on the wrong side.
func TestPagesLetWordsRunTheirOwnWay(t *testing.T) {
	quotes, runs := regexp.MustCompile(`blockquote\s*\{|<q>`), regexp.MustCompile(`unicode-bidi:\s*plaintext`)
	seen := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "dist" || len(d.Name()) > 1 && d.Name()[0] == '.') {
			return fs.SkipDir
		}
		kind := path.Ext(name)
		if d.IsDir() || kind != ".go" && kind != ".css" && kind != ".ts" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(name)
		if err != nil || !quotes.Match(b) {
			return err
		}
		if seen++; !runs.Match(b) {
			t.Errorf("%s quotes and has no unicode-bidi: plaintext", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 5 {
		t.Errorf("%d pages quote", seen)
	}
}
