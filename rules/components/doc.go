// Package components knows the inputs of Kubernetes' programs in each release:
//
//   - the flags of kube-apiserver, kube-controller-manager, kube-scheduler,
//     kube-proxy and the kubelet
//   - the admission plugins of kube-apiserver
//   - the feature gates of kubeadm
//   - the versions and fields of configuration files
//
// The module in gen generates the tables from the source of the releases. A name
// that is not in the tables is unknown, not wrong: another project's program may
// define it.
package components

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Entry is a flag, an admission plugin, a feature gate or a kind of configuration
// file, with its history.
type Entry struct {
	// Accepted are the minors that have the entry.
	Accepted lifecycle.Minors
	// File is the path of the file that defines the entry, in Kubernetes'
	// repository at the newest minor that has the entry.
	File string
	// Deprecations are the minors that deprecate the entry, with their texts.
	Deprecations []Deprecation
}

// Deprecation is a deprecation text and the minors that have it.
type Deprecation struct {
	Minors lifecycle.Minors
	Text   string
}

// Deprecated returns the minors that deprecate the entry.
func (e *Entry) Deprecated() (s lifecycle.Minors) {
	for _, d := range e.Deprecations {
		s |= d.Minors
	}
	return s
}

// DeprecatedText returns the deprecation text of minor m, or "".
func (e *Entry) DeprecatedText(m lifecycle.Minor) string {
	for _, d := range e.Deprecations {
		if d.Minors.Has(m) {
			return d.Text
		}
	}
	return ""
}

// Gone returns the known minors after the newest minor that has the entry.
func (e *Entry) Gone() lifecycle.Minors {
	last := e.Accepted.Newest()
	return lifecycle.Range{From: last + 1, To: lifecycle.Newest}.Minors()
}

// Reference returns the URL of the file that defines the entry, in the source of
// the newest release that has it.
func (e *Entry) Reference() string { return fileURL(e.Accepted.Newest(), e.File) }

// fileURL returns the URL of a file in the source of minor m, or "".
func fileURL(m lifecycle.Minor, file string) string {
	if release := tables().releases[m]; release != "" && file != "" {
		return "https://github.com/kubernetes/kubernetes/blob/v" + release + "/" + file
	}
	return ""
}

// Oldest returns the first minor of the tables.
func Oldest() lifecycle.Minor { return tables().oldest }

// Components returns the names of the programs whose flags are known.
func Components() []string {
	return []string{"kube-apiserver", "kube-controller-manager", "kube-proxy", "kube-scheduler", "kubelet"}
}

// Flag returns a flag of a component. name has no leading dashes, and _ and - are
// equivalent. ok is false if no known release has the flag.
func Flag(component, name string) (e Entry, ok bool) {
	e, ok = tables().flags[component+"\t"+strings.ReplaceAll(name, "_", "-")]
	return e, ok
}

// AdmissionPlugin returns an admission plugin of kube-apiserver. ok is false if
// no known release has it.
func AdmissionPlugin(name string) (e Entry, ok bool) {
	e, ok = tables().flags["admission-plugin\t"+name]
	return e, ok
}

// KubeadmGate returns a feature gate of kubeadm itself. ok is false if no known
// release has it.
func KubeadmGate(name string) (e Entry, ok bool) {
	e, ok = tables().flags["kubeadm-gate\t"+name]
	return e, ok
}

// Config is a kind of configuration file.
type Config struct {
	Entry
	// Component is the program that reads the file.
	Component string
	// Fields are the fields that a later minor with the kind lacks. A name is a
	// path of field names, joined by dots, without list indices.
	Fields []Field
}

// Field is a field of a configuration file.
type Field struct {
	Path string
	// Accepted are the minors that have the field.
	Accepted lifecycle.Minors
}

// ConfigKind returns a kind of configuration file. ok is false if no known release
// has it.
func ConfigKind(apiVersion, kind string) (c Config, ok bool) {
	c, ok = tables().configs[apiVersion+"\t"+kind]
	return c, ok
}

// ConfigVersions returns the versions of a group that have a kind in minor m,
// sorted.
func ConfigVersions(group, kind string, m lifecycle.Minor) (list []string) {
	for _, name := range tables().configNames {
		apiVersion, k, _ := strings.Cut(name, "\t")
		c := tables().configs[name]
		if k == kind && strings.HasPrefix(apiVersion, group+"/") && c.Accepted.Has(m) {
			list = append(list, apiVersion)
		}
	}
	return list
}

// parseMinors parses a set of minors such as 20-24,27.
func parseMinors(s string) (set lifecycle.Minors) {
	for part := range strings.SplitSeq(s, ",") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		a, _ := strconv.ParseUint(from, 10, 8)
		b, _ := strconv.ParseUint(to, 10, 8)
		set |= lifecycle.Range{From: lifecycle.Minor(a), To: lifecycle.Minor(b)}.Minors()
	}
	return set
}
