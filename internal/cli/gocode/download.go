package gocode

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/spf13/cobra"
)

// DownloadFlag adds the flag --allow-download to a command that reads Go code.
func DownloadFlag(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "allow-download", false, "let the go command download modules and change go.mod, if the environment variables of Go allow it")
}

// NotDownloaded returns the message about modules that the user must download first, or
// "" if there are none.
func NotDownloaded(modules []string) string {
	if len(modules) == 0 {
		return ""
	}
	const most = 10
	names := strings.Join(modules[:min(len(modules), most)], ", ")
	if more := len(modules) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s not downloaded: %s; run 'go mod download', or use --allow-download", report.Count(len(modules), "module"), names)
}
