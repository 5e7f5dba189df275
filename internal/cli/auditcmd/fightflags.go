package auditcmd

import (
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/spf13/cobra"
)

// fightFlags are the flags of all verbs that search for fights between writers.
type fightFlags struct {
	minReversals   int
	window, answer time.Duration
	status, redact bool
}

// add adds the flags to a command.
func (f *fightFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.minReversals, "fight-min-reversals", contention.DefaultMinReversals, "`number` of times that clients must revert each other's values before it is a fight; in a log without bodies, clients must write in turn two or three times as often")
	flags.DurationVar(&f.window, "fight-window", contention.DefaultWindow*time.Microsecond, "ignore it if a client reverts a value that is older than this `duration`")
	flags.DurationVar(&f.answer, "fight-answer", contention.DefaultAnswer*time.Microsecond, "`duration` in which clients in a log without bodies usually respond to each other; slower clients must take turns more regularly")
	flags.BoolVar(&f.status, "status-fights", false, "also look for fights over the status of objects")
	flags.BoolVar(&f.redact, "redact", false, "print and save no values of the fields in fights; values of Secrets, and of fields that look like credentials, are always left out")
	for _, name := range []string{"fight-min-reversals", "fight-window", "fight-answer"} {
		app.Complete(cmd, name, cobra.NoFileCompletions)
	}
}

// thresholds returns the values of the flags as thresholds for the search.
func (f *fightFlags) thresholds() (contention.Thresholds, error) {
	if f.minReversals < 1 || f.window <= 0 || f.answer <= 0 {
		return contention.Thresholds{}, app.Usagef("--fight-min-reversals, --fight-window and --fight-answer must be positive")
	}
	return contention.Thresholds{MinReversals: f.minReversals, Window: f.window.Microseconds(), Answer: f.answer.Microseconds()}, nil
}
