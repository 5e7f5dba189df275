// Command commandvars has its commands, and the flag for all of them, in
// variables. A handler of HTTP requests also sets the flag's variable.
package main

import (
	"net/http"

	"github.com/spf13/cobra"
)

var dryRun = false

var rootCmd = &cobra.Command{Use: "tool"}

func init() {
	rootCmd.PersistentFlags().BoolVar(&dryRun, "dry-run", false, "change nothing, in all commands")
}

func serve() {
	http.HandleFunc("/mode", func(w http.ResponseWriter, r *http.Request) {
		dryRun = r.FormValue("on") == "true"
	})
}

func main() {
	serve()
	_ = rootCmd.Execute()
}
