package auditfollow

import "testing"

func TestNames(t *testing.T) {
	for _, x := range []struct {
		log, name        string
		sibling, rotated bool
	}{
		{"audit.log", "audit.log", false, false},
		{"audit.log", "audit.log.1", true, true},
		{"audit.log", "audit.log.12.gz", true, true},
		{"audit.log", "audit.log-20261123", true, true},
		{"audit.log", "audit.log-20261123-1763856000.gz", true, true},
		{"audit.log", "audit-2026-11-23T12-22-51.123.log", true, true},
		{"audit.log", "audit-2026-11-23T12-22-51.123.log.gz", true, true},
		{"audit.log", "audit-20261123.log.zst", true, true},
		{"0.log", "0.log.20261123-101112", true, true},
		{"0.log", "0.log.20261123-101112.gz", true, true},
		{"0.log", "1.log", false, false},
		{"audit", "audit.1", true, true},
		{"audit", "audit-20261123", true, true},
		{".log", ".log.1", true, true},
		{".log", "x.log", false, false},
		{"audit.log", "audit.log.bak", true, false},
		{"audit.log", "audit.log.kvs", true, false},
		{"audit.log", "audit-1.log", true, false},
		{"audit.log", "audit-openshift.log", true, false},
		{"audit.log", "audit-openshift-2026-11-23T12-22-51.123.log", true, false},
		{"audit.log", "auditor.log", false, false},
	} {
		if got := isSibling(x.log, x.name); got != x.sibling {
			t.Errorf("isSibling(%s, %s) = %v", x.log, x.name, got)
		}
		if got := isRotated(x.log, x.name); got != x.rotated {
			t.Errorf("isRotated(%s, %s) = %v", x.log, x.name, got)
		}
	}
	for _, x := range []struct {
		a, b string
		want int
	}{
		{"audit.log.2", "audit.log.1.gz", -1},
		{"audit.log.10", "audit.log.9", -1},
		{"audit.log-20261122", "audit.log-20261123.gz", -1},
		{"audit-2026-11-23T12-22-51.123.log.gz", "audit-2026-11-23T12-22-50.999.log", 1},
		{"audit.log-20261122", "audit.log.1", 0},
		{"audit.log.bak", "audit.log.1", 0},
	} {
		if got := compareRotations(rotation("audit.log", x.a), rotation("audit.log", x.b)); got != x.want {
			t.Errorf("%s and %s: %d, want %d", x.a, x.b, got, x.want)
		}
	}
}
