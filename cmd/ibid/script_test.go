package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ibid": func() { os.Exit(realMain()) }})
}

// TestScript runs what a user could have typed, from testdata/script. Each script has an empty home and data folder.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("IBID_DATA", env.WorkDir+"/data")
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("XDG_DATA_HOME", "")
			return os.MkdirAll(env.WorkDir+"/home", 0o700)
		},
	})
}
