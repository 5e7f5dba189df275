package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kubevet/kubevet/internal/oracle"
)

// difference says how two answers differ.
type difference uint8

const (
	differentServed   difference = 1 << iota // only one of them knows the kind
	differentRefused                         // only one of them refuses the object
	differentWarnings                        // warnings or their order
	differentCauses                          // the errors
	notFound                                 // kubevet did not find the object
	dependsOnCluster                         // the difference depends on the cluster's state
)

func (u difference) String() string {
	var words []string
	for i, word := range []string{"served", "refused", "warnings", "causes", "not judged", "unknowable"} {
		if u&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

type result struct {
	objects []*object
	said    []verdict
	unread  int
	because map[string]int // number of differences for each reason why they depend on the cluster
}

// add compares the two answers to an object. If found is false, kubevet did not find the
// object.
func (r *result) add(o *object, v verdict, found bool) {
	r.objects = append(r.objects, o)
	r.said = append(r.said, v)
	if !found {
		o.difference = notFound
		return
	}
	if o.served != v.served {
		o.difference |= differentServed
	}
	if !o.served {
		return
	}
	refused := o.answer.Code >= http.StatusBadRequest
	if refused != (len(v.answer.Causes) > 0) {
		o.difference |= differentRefused
	}
	seen := oracle.Comparable(&o.answer)
	if !slices.Equal(seen.Warnings, oracle.ComparableTexts(v.warnings())) {
		o.difference |= differentWarnings
	}
	if refused {
		want, got := causesOf(&o.answer), v.causes()
		slices.Sort(want)
		slices.Sort(got)
		if !slices.EqualFunc(want, got, alike) {
			o.difference |= differentCauses
		}
	}
	if o.difference == 0 {
		return
	}
	for _, k := range knownToClusters {
		if k.text.MatchString(o.answer.Message) {
			o.difference |= dependsOnCluster
			if r.because == nil {
				r.because = map[string]int{}
			}
			r.because[k.reason]++
			return
		}
	}
}

// knownToClusters has refusals that depend on the configuration or the history of a
// cluster.
var knownToClusters = []struct {
	text   *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`spec\.clusterIPs?: Invalid value: .*(failed to allocate IP|provided (IP|range)|not in the valid range)`), "the range of the cluster's service addresses"},
	{regexp.MustCompile(`spec\.ipFamilies\[\d+\]: Invalid value: "IPv[46]": not configured on this cluster`), "the address families of the cluster"},
	{regexp.MustCompile(`^namespaces ".*[^a-z0-9"-].*" not found$`), "a namespace that cannot be: the server looks for it before it looks at its name"},
	{regexp.MustCompile(`spec\.ports\[\d+\]\.nodePort: Invalid value: .*provided port`), "the ports that are allocated"},
}

// causesOf returns the texts of the errors in a refusal, each once.
func causesOf(a *oracle.Answer) []string {
	if len(a.Causes) == 0 {
		return []string{oracle.Blank(a.Message)}
	}
	var texts []string
	for _, c := range a.Causes {
		text := oracle.Blank(c.Message)
		if c.Field != "" && c.Field != "<nil>" {
			text = c.Field + ": " + text
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// alike reports whether kubevet's error, got, is equal to the server's, want. kubevet
// writes … for a text that only the server knows.
func alike(want, got string) bool {
	got = oracle.Blank(got)
	if before, after, cut := strings.Cut(got, "…"); cut {
		return len(want) >= len(before)+len(after) && strings.HasPrefix(want, before) && strings.HasSuffix(want, after)
	}
	return want == got
}

// print prints the numbers of differences, and some of the differences.
func (r *result) print(out io.Writer, show int) {
	shown := 0
	for i, o := range r.objects {
		if o.difference == 0 || o.difference&dependsOnCluster != 0 {
			continue
		}
		if shown++; shown > show {
			break
		}
		v := r.said[i]
		fmt.Fprintf(out, "%s: %s %s %s/%s: %s; code %d, update %v, served %v/%v\n", o.Stream.Name, o.Head.APIVersion, o.Head.Kind, o.Head.Metadata.Namespace, o.Head.Metadata.Name, o.difference, o.answer.Code, o.live != nil, o.served, v.served)
		printLines(out, "server warns", oracle.ComparableTexts(o.answer.Texts()))
		printLines(out, "kubevet warns", oracle.ComparableTexts(v.warnings()))
		if o.answer.Code >= http.StatusBadRequest {
			printLines(out, "server refuses", causesOf(&o.answer))
		}
		printLines(out, "kubevet refuses", v.causes())
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tobjects\tserved\trefused\twith warnings\tserved or not\trefused or not\twarnings\terrors\tall equal\tnot judged\tunknowable\t")
	for _, row := range []struct {
		name string
		of   func(*object) bool
	}{
		{"as written", func(o *object) bool { return !o.Stream.Rendered }},
		{"rendered", func(o *object) bool { return o.Stream.Rendered }},
		{"all", func(*object) bool { return true }},
	} {
		var n, served, refused, warned, missing, odd, equal int
		var same [4]int
		for _, o := range r.objects {
			if !row.of(o) {
				continue
			}
			n++
			if o.served {
				served++
			}
			if o.answer.Code >= http.StatusBadRequest && o.served {
				refused++
			}
			if len(o.answer.Warnings) > 0 {
				warned++
			}
			switch {
			case o.difference == notFound:
				missing++
				continue
			case o.difference&dependsOnCluster != 0:
				odd++
			case o.difference == 0:
				equal++
			}
			for i := range same {
				if o.difference&(1<<i) == 0 {
					same[i]++
				}
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", row.name, n, served, refused, warned, same[0], same[1], same[2], same[3], equal, missing, odd)
	}
	w.Flush()
	for reason, n := range r.because {
		fmt.Fprintf(out, "unknowable: %d: %s\n", n, reason)
	}
	if r.unread > 0 {
		fmt.Fprintf(out, "%d documents are no objects\n", r.unread)
	}
}

func printLines(out io.Writer, title string, texts []string) {
	for _, text := range texts {
		if len(text) > 700 {
			text = text[:700] + " (cut)"
		}
		fmt.Fprintf(out, "\t%s: %s\n", title, text)
	}
}
