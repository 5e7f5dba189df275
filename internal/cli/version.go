package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/spf13/cobra"
)

// versionInfo is what `kubevet version` knows of the program.
type versionInfo struct {
	// Version is the module's version, such as "v0.1.0", or "devel" for a
	// build from a checkout.
	Version string `json:"version"`
	// Commit is the checkout's; empty where the build does not know. Modified
	// is set when the checkout had changes.
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	// Date is the commit's, in RFC 3339.
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// Kubernetes are the minors that the tables know.
	Kubernetes struct {
		Oldest string `json:"oldest"`
		Newest string `json:"newest"`
	} `json:"kubernetes"`
}

// programVersion reads what the Go tool wrote into the program.
func programVersion() versionInfo {
	v := versionInfo{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	v.Kubernetes.Oldest, v.Kubernetes.Newest = lifecycle.Oldest.String(), lifecycle.Newest.String()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v.Version = m
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (a *app) versionCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of kubevet and the Kubernetes versions it knows",
		Example: `  kubevet version
  kubevet version -o json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch err := oneFormat(output, "text", "json"); {
			case err != nil:
				return err
			case output == "json":
				return a.writeJSON(programVersion())
			}
			return a.write(programVersion().text())
		},
	}
	cmd.Flags().SortFlags = false
	formatFlag(cmd, &output, "text", "text", "json")
	return cmd
}

func (v versionInfo) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "kubevet %s", v.Version)
	if v.Commit != "" {
		fmt.Fprintf(&b, " (commit %.12s", v.Commit)
		if v.Modified {
			b.WriteString(", modified")
		}
		if v.Date != "" {
			fmt.Fprintf(&b, ", %s", v.Date)
		}
		b.WriteByte(')')
	}
	fmt.Fprintf(&b, "\nKubernetes %s to %s\n%s %s\n", v.Kubernetes.Oldest, v.Kubernetes.Newest, v.Go, v.Platform)
	return b.String()
}

// write gives a text to standard output.
func (a *app) write(text string) error {
	if _, err := a.Stdout.Write([]byte(text)); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// writeJSON gives an indented JSON value to standard output.
func (a *app) writeJSON(value any) error {
	encoder := json.NewEncoder(a.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
