package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// logs returns audit logs in different encodings, with requests to removed APIs and two
// writers that fight.
func logs() []string {
	event := func(i int) string {
		return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"a%d","stage":"ResponseComplete","requestURI":"/apis/policy/v1beta1/namespaces/n/poddisruptionbudgets/x?fieldManager=m%d",`+
			`"verb":"update","user":{"username":"u%d","groups":["system:authenticated"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.25.0","objectRef":{"resource":"poddisruptionbudgets","namespace":"n","name":"x","apiGroup":"policy","apiVersion":"v1beta1"},`+
			`"responseStatus":{"metadata":{},"code":200},"requestObject":{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"x"},"spec":{"minAvailable":%d}},"responseObject":{"spec":{"minAvailable":%[4]d}},`+
			`"requestReceivedTimestamp":"2026-11-21T10:18:%02d.985485Z","stageTimestamp":"2026-11-21T10:18:%[5]d.986086Z","annotations":{"k8s.io/deprecated":"true","k8s.io/removed-release":"1.25"}}`, i, i%2, i%2, i%2, 10+i)
	}
	var events []string
	for i := range 8 {
		events = append(events, event(i))
	}
	return []string{
		strings.Join(events, "\n") + "\n",
		`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[` + strings.Join(events[:3], ",") + "]}",
		fmt.Sprintf("2026-11-21T10:18:33.9Z stdout F %s\n2026-11-21T10:18:34.9Z stdout P %s\n2026-11-21T10:18:34.9Z stdout F %s\n", events[0], events[1][:99], events[1][99:]),
		fmt.Sprintf(`{"events":[{"timestamp":1,"message":%q,"ingestionTime":2}]}`, events[0]),
		strings.ReplaceAll(strings.Join(events[:6], "\n"), "kubectl/v1.25.0", `=1+1|\u001b[2J\n::error::x##vso[a]`) + "\n{\n",
		"kind: Event\n", "",
	}
}

// FuzzAuditLog runs audit and upgrade on logs. It compares the output of one thread, of
// several threads, and of saved counts. Reports for people must have only printable
// characters. Reports for programs must be well formed.
func FuzzAuditLog(f *testing.F) {
	formats := []string{"table", "text", "markdown", "github", "csv", "junit"}
	for _, log := range logs() {
		for mode := range uint8(2 + len(formats)) {
			f.Add([]byte(log), mode)
		}
	}
	f.Fuzz(func(t *testing.T, log []byte, mode uint8) {
		if len(log) > 1<<15 {
			return
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.log"), log, 0o644); err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) (stdout string, status int) {
			var out, errs bytes.Buffer
			c := Command{Stdout: &out, Stderr: &errs, Dir: dir}
			status = c.Main(t.Context(), args)
			if status != StatusClean && status != StatusFindings && status != StatusIncomplete {
				t.Errorf("%q: status %d: %s", args, status, &errs)
			}
			checkPrintable(t, errs.String())
			return duration.ReplaceAllString(out.String(), ""), status
		}
		switch n := int(mode) % (2 + len(formats)); n {
		case 0:
			one, status := run("audit", "-q", "-v", "-o", "json", "--workers", "1", "--save", "a.kvs", "a.log")
			several, statusOfSeveral := run("audit", "-q", "-v", "-o", "json", "--workers", "4", "a.log")
			if one != several || status != statusOfSeveral {
				t.Errorf("status %d with one thread and %d with several:\n%s", status, statusOfSeveral, cmp.Diff(one, several))
			}
			saved, statusOfSaved := run("audit", "-q", "-v", "-o", "json", "--save", "b.kvs", "a.kvs")
			if one != saved || status != statusOfSaved {
				t.Errorf("status %d of a log and %d of its counts:\n%s", status, statusOfSaved, cmp.Diff(one, saved))
			}
			first, err1 := os.ReadFile(filepath.Join(dir, "a.kvs"))
			second, err2 := os.ReadFile(filepath.Join(dir, "b.kvs"))
			if err := errors.Join(err1, err2); err != nil {
				t.Error(err)
			}
			if !bytes.Equal(first, second) {
				t.Error("counts differ after they were read and saved again")
			}
		case 1:
			out, _ := run("upgrade", "-q", "--no-config", "--from", "1.21", "--to", "1.37", "--audit", "a.log")
			checkPrintable(t, out)
		default:
			format := formats[n-2]
			out, _ := run("audit", "-q", "-o", format, "a.log")
			switch format {
			case "csv":
				rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				for _, cell := range slices.Concat(rows...) {
					if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") {
						t.Errorf("a spreadsheet takes %q for a formula", cell)
					}
				}
			case "junit":
				for d := xml.NewDecoder(strings.NewReader(out)); ; {
					if _, err := d.Token(); err == io.EOF {
						break
					} else if err != nil {
						t.Fatalf("%v: %s", err, out)
					}
				}
			case "github":
				for line := range strings.Lines(out) {
					if !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::notice ") {
						t.Errorf("%q is not a command", line)
					}
				}
			default:
				checkPrintable(t, out)
			}
		}
	})
}
