package app

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/kubevet/kubevet/internal/buildinfo"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// versionInfo is the output of `kubevet version`.
type versionInfo struct {
	// Version is the version of the module, such as "v0.1.0". It is "devel" for a build
	// from a checkout.
	Version string `json:"version"`
	// Commit is the hash of the commit. It is empty if unknown. Modified is true if the
	// checkout had uncommitted changes.
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	// Date is the time of the commit in RFC 3339.
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// Kubernetes has the oldest and the newest minor that kubevet knows.
	Kubernetes struct {
		Oldest string `json:"oldest"`
		Newest string `json:"newest"`
	} `json:"kubernetes"`
}

// ProgramVersion returns the version information that the Go build stored in the program.
func ProgramVersion() versionInfo {
	build := buildinfo.Read()
	v := versionInfo{Version: build.Version, Commit: build.Commit, Modified: build.Modified, Date: build.Date,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	v.Kubernetes.Oldest, v.Kubernetes.Newest = lifecycle.Oldest.String(), lifecycle.Newest.String()
	return v
}

// Text returns the version information as lines for people.
func (v versionInfo) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "kubevet %s", v.Version)
	if v.Commit != "" {
		fmt.Fprintf(&b, " (commit %.12s", v.Commit)
		if v.Modified {
			b.WriteString(", modified")
		}
		if v.Date != "" {
			fmt.Fprintf(&b, ", %s", v.Date)
		}
		b.WriteByte(')')
	}
	fmt.Fprintf(&b, "\nKubernetes %s to %s\n%s %s\n", v.Kubernetes.Oldest, v.Kubernetes.Newest, v.Go, v.Platform)
	return b.String()
}
