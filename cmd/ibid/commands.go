package main

import "github.com/spf13/cobra"

// listing makes a command without a verb list, with the flags that its list has.
func listing(cmd, list *cobra.Command) {
	cmd.RunE = list.RunE
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list)
}

// subcommands lists every verb of the program, each in a file of its own.
func subcommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		ingestCmd(a),
		askCmd(a),
		thinkCmd(a),
		researchCmd(a),
		argueCmd(a),
		showCmd(a),
		whyCmd(a),
		exportCmd(a),
		sourcesCmd(a),
		conflictsCmd(a),
		graphCmd(a),
		runCmd(a),
		gateCmd(a),
		reviewCmd(a),
		feedbackCmd(a),
		insightsCmd(a),
		auditCmd(a),
		backupCmd(a),
		serveCmd(a),
		mcpCmd(a),
		keysCmd(a),
		attributeCmd(a),
		evalCmd(a),
		citeCmd(a),
		stylesCmd(a),
		convertCmd(a),
		checkCmd(a),
		versionCmd(a),
		completionCmd(a),
		configTopic(),
		exitTopic(),
	}
}
