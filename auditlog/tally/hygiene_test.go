package tally

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/corpustest"
)

// TestHygiene compares the counts of each client's writes with the requests in the ledgers of the
// scenarios.
func TestHygiene(t *testing.T) {
	for _, name := range []string{"1.24-Metadata", "1.36-RequestResponse"} {
		t.Run(name, func(t *testing.T) {
			l := readLedger(t, name)
			type sum struct{ dry, conflicts int64 }
			want := map[string]sum{}
			for _, q := range l.Requests {
				if q.Method == "GET" || strings.HasSuffix(q.Path, "/exec") {
					continue
				}
				s := want[q.User+" "+q.UserAgent]
				if q.DryRun {
					s.dry += q.Count
				}
				if q.Code == 409 {
					s.conflicts += q.Count
				}
				want[q.User+" "+q.UserAgent] = s
			}
			r := tallyFile(t, Config{}, corpustest.Path(t, "audit", "real", name+".log.gz"))
			got := map[string]sum{}
			by := map[string]*Client{}
			for _, c := range r.Clients {
				key := c.User + " " + c.Agent
				s := got[key]
				s.dry += c.DryRuns
				s.conflicts += c.AlreadyExists + c.LockConflicts + c.ManagerConflicts + c.OtherConflicts
				got[key] = s
				by[key] = c
			}
			for key, w := range want {
				if got[key] != w {
					t.Errorf("%s: got %+v, want %+v", key, got[key], w)
				}
			}
			find := func(part string) *Client {
				for key, c := range by {
					if strings.Contains(key, part) {
						return c
					}
				}
				t.Fatalf("no client %s", part)
				return nil
			}
			terraform, b := find("ci-bot Terraform"), find("controller-b ")
			if terraform.ManagerConflicts != 25 || terraform.LockConflicts != 0 {
				t.Errorf("s03: %d conflicts of managers, %d of versions", terraform.ManagerConflicts, terraform.LockConflicts)
			}
			if b.LockConflicts != 50 || b.ManagerConflicts != 0 {
				t.Errorf("s04: %d conflicts of versions, %d of managers", b.LockConflicts, b.ManagerConflicts)
			}
			if len(r.Conflicts) != 1 || r.Conflicts[0].Manager != "kubectl" || r.Conflicts[0].Field != ".data.k" || r.Conflicts[0].Count != 25 {
				t.Errorf("s03: %+v", r.Conflicts)
			}
			argo, prometheus := find("argocd-application-controller "), find("prometheus-operator ")
			noops := []int64{prometheus.Noops, argo.Noops}
			switch name {
			case "1.36-RequestResponse":
				if argo.Compared != 655 { // of its 707 writes, 49 creates and 3 applies create objects
					t.Errorf("%d writes are comparable", argo.Compared)
				}
				if noops[0] != 200 || noops[1] != 100 {
					t.Errorf("s05, s06: no-op writes %v", noops)
				}
			default:
				if noops[0]+noops[1] != 0 || argo.Compared != 0 {
					t.Errorf("no-op writes %v at level Metadata", noops)
				}
			}
			if argo.Forced == 0 || argo.Forced != argo.Applies {
				t.Errorf("%d of %d applies are forced", argo.Forced, argo.Applies)
			}
			acting := int64(0)
			for _, c := range r.Clients {
				if c.Impersonated == "jane" {
					acting += c.Impersonating
				}
			}
			if acting == 0 {
				t.Error("nobody acts as jane")
			}
			shared := false
			for _, s := range r.Shared {
				shared = shared || s.Manager == "kube-controller-manager"
			}
			if !shared {
				t.Error("several users are kube-controller-manager")
			}
		})
	}
}
