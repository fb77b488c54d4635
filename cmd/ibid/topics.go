package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// helpCmd explains commands and topics. Cobra's own gives no error for what it does not know.
func helpCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND|TOPIC]",
		Short:   "Explain a command or a topic",
		Example: "  ibid help ask\n  ibid help config",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return hint(usagef("there is no help on %q", strings.Join(args, " ")), "ibid help lists commands and topics")
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

func completionCmd(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write the completion script of a shell",
		Long: `Write a script that lets a shell complete the commands and flags of ibid. The
shells are ` + strings.Join(shells, ", ") + `.`,
		Example: `  source <(ibid completion bash)
  ibid completion zsh > "${fpath[1]}/_ibid"
  ibid completion fish > ~/.config/fish/completions/ibid.fish`,
		ValidArgs: shells,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			default:
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
		},
	}
}

// configTopic and exitTopic have no Run: cobra lists them as further help.
func configTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "The configuration file and the environment",
		Long: `Settings come from the configuration file, then the environment, then flags;
the later wins. The file is ~/.config/ibid/config.toml, or what IBID_CONFIG or
--config names:

  data = "/srv/ibid"          # folder of the library
  collection = "thesis"       # work within this collection
  judge = "auto"              # second opinion: auto, always, off, or model

  [model]
  provider = "openai"         # openai, anthropic, ollama, extractive (default)
  name = "gpt-5-mini"
  base_url = ""               # any server that speaks the provider's API
  timeout = "5m"              # of a whole answer; none by default
  citations = false           # anthropic: let the API cite, and check it

  [retrieve]
  passages = 8                # at most this many for an answer
  characters = 24000          # at most this much of them in the prompt
  vectors = false             # find by meaning too; adding takes longer

  [gate]
  policy = "production"       # what must have a source: built in, or a file
  environment = "staging"     # of the file's environments

  [quality]
  lists = ""                  # file of hosts and publishers, before ours

  [serve]
  origins = []                # pages of these origins may call the API
  per_second = 200            # requests of one key or address

  [serve.oidc]                # sign-in to the page; secret: IBID_OIDC_SECRET
  issuer = "https://accounts.example.org"
  client_id = "ibid"
  redirect_url = "https://ibid.example.org/auth/callback"
  allow = ["@example.org"]    # who may sign in
  admins = ["ada@example.org"]

  [fetch]
  allow_private = false       # fetch from private and loopback addresses too
  allow_ports = []            # fetch from these ports too, beside 80 and 443

Environment:

  IBID_CONFIG       the configuration file
  IBID_DATA         folder of the library (default ~/.local/share/ibid)
  IBID_COLLECTION   work within this collection
  IBID_PROVIDER     openai, anthropic, ollama or extractive
  IBID_MODEL        name of the model
  IBID_BASE_URL     where the provider's API stands
  IBID_JUDGE        auto, always, off or model: the second opinion on support
  IBID_POLICY       what must have a source to go out: a built-in policy or file
  AUDIT_LOG_PATH    file of JSON lines to which finished runs are appended
  IBID_OIDC_SECRET  of the sign-in provider
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces of the server go; none by default
  OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL
  IBID_STYLES       folders of citation styles and locales
  IBID_DOI_RESOLVER, IBID_CROSSREF, IBID_PUBMED, IBID_OPENLIBRARY, IBID_ARXIV
                    where ibid cite and ibid check --lookup look up identifiers
  NO_COLOR          no colours

Without a provider no language model is asked, and nothing leaves this machine.`,
	}
}

func exitTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `  0    done
  1    something failed; what could be done was done
  2    the command line or the configuration cannot be meant
  3    refused by the gate; the refusal is on record
  130  interrupted
  141  the reader of the output left, as head does`,
	}
}
