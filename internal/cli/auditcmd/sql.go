package auditcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/auditsql"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/spf13/cobra"
)

const auditSQLHelp = `Print a query that finds the users of deprecated APIs in audit logs. An SQL engine runs
the query, on logs that it stores or can read. Like 'kubevet audit --deprecated-only', it counts the requests that
the server marked as deprecated, each once. Fights, field managers and APIs that only a
later release deprecates need kubevet.

--logs is what the query reads: files or a glob for duckdb and clickhouse, a table for
bigquery and athena. kubevet's tests run the queries for duckdb; the others follow the
documentation of the engines.`

func sqlCommand(a *app.App) *cobra.Command {
	var engine, source, logs string
	cmd := &cobra.Command{
		Use:   "sql --engine ENGINE [--source SOURCE] --logs LOGS",
		Short: "Print an SQL query for audit logs in a database",
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
	flags.StringVar(&engine, "engine", "", "`engine`: "+strings.Join(auditsql.Engines(), ", "))
	flags.StringVar(&source, "source", "files", "`source` of the logs: files as the server writes them, eks, gke or aks")
	flags.StringVar(&logs, "logs", "", "`files` or table that the query reads")
	app.CompleteWords(cmd, "engine", auditsql.Engines())
	app.CompleteWords(cmd, "source", []string{"files", "eks", "gke", "aks"})
	return cmd
}
