package report_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/kubevet/kubevet/internal/report"
)

// TestKubectl has cases that were not recorded. Package kubectlapply compares this format
// with recorded output of kubectl.
func TestKubectl(t *testing.T) {
	var out, errs bytes.Buffer
	k := report.NewKubectl(&out, report.Options{Errors: &errs, ErrorsColor: true})
	for _, text := range []string{"", "a\x1b[2Jb ::error::x fe80::1", "a\x1b[2Jb ::error::x fe80::1"} {
		if err := k.Warning(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Applied("pod/x created"); err != nil {
		t.Fatal(err)
	}
	k.Refused("alone", "among\nlines\u202e")
	k.Unread("no", 0)
	k.Unread("no", 0)
	k.Unread("item", 1)
	if err := k.Close(nil); err != nil || !k.Failed() {
		t.Errorf("%v, failed %t", err, k.Failed())
	}
	if got, want := out.String(), "pod/x created (server dry run)\n"; got != want {
		t.Errorf("standard output %q, want %q", got, want)
	}
	want := "\x1b[33;1mWarning:\x1b[0m a\\x1b[2Jb ::error::x fe80::1\n[no, item]\namong\nlines\\u202e\n"
	if got := errs.String(); got != want {
		t.Errorf("standard error %q, want %q", got, want)
	}
}

func TestKubectlWriter(t *testing.T) {
	k := report.NewKubectl(failing{}, report.Options{})
	if err := k.Applied("pod/x created"); err == nil {
		t.Error("no error from Applied")
	}
	if err := k.Close(nil); err == nil {
		t.Error("no error from Close")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
