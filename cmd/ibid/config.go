package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/internal/wording"
)

// config is what the configuration file, the environment and the flags say, the later winning over the earlier.
type config struct {
	Data       string      `toml:"data"`
	Collection string      `toml:"collection"`
	Judge      string      `toml:"judge"` // off, auto, always, model
	Model      modelConfig `toml:"model"`
	Retrieve   struct {
		Passages   int `toml:"passages"`
		Characters int `toml:"characters"`
		// Vectors finds passages by their meaning too, with the built-in model; adding documents takes longer then.
		Vectors bool `toml:"vectors"`
	} `toml:"retrieve"`
	Gate struct {
		Policy      string `toml:"policy"` // a preset or a file
		Environment string `toml:"environment"`
	} `toml:"gate"`
	Quality struct {
		Lists string `toml:"lists"` // a file of lists that come before the built-in ones
	} `toml:"quality"`
	Serve struct {
		Origins   []string `toml:"origins"`
		PerSecond float64  `toml:"per_second"`
		OIDC      struct {
			Issuer      string   `toml:"issuer"`
			ClientID    string   `toml:"client_id"`
			RedirectURL string   `toml:"redirect_url"`
			Allow       []string `toml:"allow"`
			Admins      []string `toml:"admins"`
		} `toml:"oidc"`
	} `toml:"serve"`
	Fetch struct {
		AllowPrivate bool  `toml:"allow_private"`
		AllowPorts   []int `toml:"allow_ports"`
	} `toml:"fetch"`
}

type modelConfig struct {
	Provider  string   `toml:"provider"` // openai, anthropic, ollama, extractive
	Name      string   `toml:"name"`
	BaseURL   string   `toml:"base_url"`
	Timeout   duration `toml:"timeout"`
	Citations bool     `toml:"citations"` // of the provider's own
}

type duration time.Duration

func (d *duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = duration(v)
	return err
}

// configure reads the configuration file, then the environment, then the flags.
func (a *app) configure() error {
	path, named := a.flags.config, true
	if path == "" {
		path = a.env("IBID_CONFIG")
	}
	if path == "" {
		named = false
		if home, err := a.userDir("XDG_CONFIG_HOME", ".config"); err == nil {
			path = filepath.Join(home, "ibid", "config.toml")
		}
	}
	if path != "" {
		if err := a.readConfig(path, named); err != nil {
			return err
		}
	}
	a.conf.Data = a.atHome(first(a.flags.data, a.env("IBID_DATA"), a.conf.Data))
	a.conf.Quality.Lists = a.atHome(a.conf.Quality.Lists)
	a.conf.Gate.Policy = a.atHome(a.conf.Gate.Policy)
	a.conf.Collection = first(a.flags.collection, a.env("IBID_COLLECTION"), a.conf.Collection)
	if err := api.CheckCollection(a.conf.Collection); err != nil {
		return usagef("collection %.60q: %w", a.conf.Collection, err)
	}
	for _, said := range [][2]string{{"configuration " + path + ": judge", a.conf.Judge}, {"IBID_JUDGE", a.env("IBID_JUDGE")}, {"--judge", a.flags.judge}} {
		if how := said[1]; how != "" && !slices.Contains(judges, how) {
			return usagef("%s %q: choose auto, always, off or model", said[0], how)
		}
	}
	a.conf.Judge = first(a.env("IBID_JUDGE"), a.conf.Judge)
	a.conf.Model.Provider = first(a.env("IBID_PROVIDER"), a.conf.Model.Provider)
	a.conf.Model.Name = first(a.env("IBID_MODEL"), a.conf.Model.Name)
	a.conf.Model.BaseURL = first(a.env("IBID_BASE_URL"), a.conf.Model.BaseURL)
	if p := a.env("IBID_POLICY"); p != "" {
		if c := &a.conf.Gate; c.Policy != "" && c.Policy != p {
			c.Environment = "" // it is the other policy's
		}
		a.conf.Gate.Policy = p
	}
	if a.conf.Model.Timeout < 0 {
		return usagef("configuration %s: model.timeout: %s is no time to wait", path, time.Duration(a.conf.Model.Timeout))
	}
	if a.conf.Retrieve.Passages < 0 || a.conf.Retrieve.Characters < 0 {
		return usagef("configuration %s: retrieve.passages and retrieve.characters are numbers from 1 up", path)
	}
	for _, port := range a.conf.Fetch.AllowPorts {
		if port < 1 || port > 65535 {
			return usagef("configuration %s: fetch.allow_ports: %d is not a port", path, port)
		}
	}
	switch a.flags.color {
	case "auto", "always", "never":
		return nil
	}
	return usagef("--color %q: choose auto, always or never", a.flags.color)
}

func (a *app) readConfig(path string, named bool) error {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return hint(usagef("configuration: %w", err), "name a file with --config or IBID_CONFIG; ibid help config shows one")
	}
	meta, err := toml.Decode(string(b), &a.conf)
	if err != nil {
		return hint(usagef("configuration %s: %w", path, wording.TOML(err)), "ibid help config shows a file")
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return hint(usagef("configuration %s: unknown setting %s", path, unknown[0]), "ibid help config lists the settings")
	}
	if err := wording.TOMLOnce(meta); err != nil {
		return hint(usagef("configuration %s: %w", path, err), "write each setting once, in small letters")
	}
	return nil
}

// atHome is a path with the user's folder in the place of ~, which no shell puts there in a file, in quotes or behind --data=.
func (a *app) atHome(path string) string {
	home := a.env("HOME")
	if rest, ok := strings.CutPrefix(path, "~"); ok && home != "" && (rest == "" || rest[0] == '/') {
		return home + rest
	}
	return path
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
