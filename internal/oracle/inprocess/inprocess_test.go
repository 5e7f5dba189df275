//go:build inprocess

package inprocess

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/server"
)

var record = flag.Bool("record", false, "write the answers of all cases down")

var recorded = filepath.Join("..", "..", "..", "rules", "apiserver", "answer", "testdata", "oracle")

// TestServer compares recorded answers with a server of the newest release. Without
// -record, it sends the cases that need a server, and some others.
func TestServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a kube-apiserver")
	}
	cases, err := oracle.ReadCases(filepath.Join("..", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	if !*record {
		cases = slices.DeleteFunc(cases, func(c oracle.Case) bool { return !strings.HasPrefix(c.File, "server/") && c.File != "decode" })
	}
	// A test directory would be removed before the server has ended.
	dir, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	at, stop, err := server.Start(t.Context(), server.Options{
		Name: "1.37",
		Dir:  dir,
		Run: func(ctx context.Context, args []string) error {
			command := app.NewAPIServerCommand()
			command.SetArgs(args)
			// Only a signal ends the command.
			defer context.AfterFunc(ctx, func() { genericapiserver.RequestShutdown() })()
			return command.ExecuteContext(ctx)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	got, err := at.Record(t.Context(), cases)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(recorded, "1.37.jsonl.gz")
	if *record {
		if err := os.MkdirAll(recorded, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := oracle.WriteLines(filepath.Join(recorded, "cases.jsonl.gz"), cases); err != nil {
			t.Fatal(err)
		}
		if err := oracle.WriteLines(file, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	answers, err := oracle.ReadLines[oracle.Answer](file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]oracle.Answer{}
	for _, a := range answers {
		want[a.File+" "+a.ID] = append(want[a.File+" "+a.ID], a)
	}
	for i := range got {
		key := got[i].File + " " + got[i].ID
		if len(want[key]) == 0 {
			t.Errorf("%s is not recorded", key)
			continue
		}
		if diff := cmp.Diff(settled(&cases[i], &want[key][0]), settled(&cases[i], &got[i])); diff != "" {
			t.Errorf("%s (-recorded +answered):\n%s", key, diff)
		}
		want[key] = want[key][1:]
	}
	t.Logf("%d answers", len(got))
}

// settled returns the part of an answer that is compared: oracle.Comparable without
// generated names, and with sorted errors of a custom resource.
func settled(c *oracle.Case, a *oracle.Answer) oracle.Seen {
	s := oracle.Comparable(a)
	var obj struct {
		APIVersion string
		Metadata   struct{ Name, GenerateName string }
	}
	if json.Unmarshal(c.Body(), &obj) != nil {
		return s
	}
	if base := obj.Metadata.GenerateName; base != "" && obj.Metadata.Name == "" {
		made := regexp.MustCompile(regexp.QuoteMeta(base) + "[a-z0-9]{5}")
		s.Message = made.ReplaceAllString(s.Message, base+"…")
		for i := range s.Causes {
			s.Causes[i].Message = made.ReplaceAllString(s.Causes[i].Message, base+"…")
		}
		for i := range s.Warnings {
			s.Warnings[i] = made.ReplaceAllString(s.Warnings[i], base+"…")
		}
	}
	if strings.Contains(obj.APIVersion, "example.com/") && len(s.Causes) > 1 {
		slices.SortFunc(s.Causes, func(a, b oracle.Cause) int { return strings.Compare(a.Field+a.Message, b.Field+b.Message) })
	}
	return s
}
