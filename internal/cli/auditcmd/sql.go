package auditcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/auditsql"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/spf13/cobra"
)

const auditSQLHelp = `Print the query that finds who uses deprecated APIs in audit logs that an SQL engine
holds, or can read where they lie. It counts what the server itself marked as
deprecated, each request once, as 'kubevet audit --deprecated-only' does; fights, field
managers and APIs that only a later release deprecates need kubevet.

--logs is what the query reads: files or a glob for duckdb and clickhouse, a table for
bigquery and athena. The queries for duckdb are run by kubevet's tests; the others are
written after the engines' documentation.`

func sqlCommand(a *app.App) *cobra.Command {
	var engine, source, logs string
	cmd := &cobra.Command{
		Use:   "sql --engine ENGINE [--source SOURCE] --logs LOGS",
		Short: "Print a query for audit logs that are tables already",
		Long:  auditSQLHelp,
		Example: `  kubevet audit sql --engine duckdb --logs 'audit-*.log.gz' | duckdb
  kubevet audit sql --engine bigquery --source gke --logs 'project.dataset.cloudaudit_googleapis_com_data_access' | bq query --use_legacy_sql=false`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			query, err := auditsql.Query(engine, source, logs)
			if err != nil {
				return app.Usage(err)
			}
			if _, err := io.WriteString(a.Stdout, query); err != nil && !app.IsClosedPipe(err) {
				return fmt.Errorf("writing to standard output: %w", app.Cause(err))
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&engine, "engine", "", "the `engine`: "+strings.Join(auditsql.Engines(), ", "))
	flags.StringVar(&source, "source", "files", "where the logs come from: `files` as the server writes them, eks, gke or aks")
	flags.StringVar(&logs, "logs", "", "the `files` or the table that the query reads")
	app.CompleteWords(cmd, "engine", auditsql.Engines())
	app.CompleteWords(cmd, "source", []string{"files", "eks", "gke", "aks"})
	return cmd
}
