package manifestlint

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/helmrelease"
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// releaseKey is the key of a Secret or ConfigMap whose value is a release.
const releaseKey = "release"

// unpackedTimes bounds what is unpacked for one document, in document sizes: a
// list of many small releases may be a thousand times what it looks like.
const unpackedTimes = 16

// mayHoldRelease reports whether objects of a kind hold releases of Helm.
func mayHoldRelease(apiVersion, kind string) bool {
	return apiVersion == "v1" && (kind == "Secret" || kind == "ConfigMap")
}

// storedRelease is one revision of a release, in an object of a document.
type storedRelease struct {
	field *wire.Field // that holds it
	// coats is how often it is coded in base64 around what Helm codes.
	coats                   int
	namespace, name, status string
	revision                int
	release                 *helmrelease.Release // once it was decoded
}

// releases judges the manifests of the Helm releases among the objects of a
// document. Of each release only the revision that Helm goes by is what
// the cluster has; the others are counted, or judged as history.
func (j *judge) releases(in *Input, d document.Document, found []*Object, r *result) {
	if len(j.l.opts.Checks) == 0 {
		return // nothing is judged
	}
	var all []*storedRelease
	budget := unpackedTimes * int64(j.l.opts.MaxDocument)
	for _, o := range found {
		s := releaseOf(o)
		if s == nil {
			continue
		}
		if (s.name == "" || s.status == "" || s.revision == 0) && !j.decode(in, d, s, &budget, r) {
			continue
		}
		all = append(all, s)
	}
	for _, s := range all {
		history := !currentRelease(s, all)
		if history && !j.l.opts.ReleaseHistory {
			r.skipRelease(in, d, s)
			continue
		}
		if s.release == nil && !j.decode(in, d, s, &budget, r) {
			continue
		}
		j.release(in, d, s, history, r)
		s.release = nil
	}
}

// releaseOf gives the release that an object holds, or nil.
func releaseOf(o *Object) *storedRelease {
	if o.Root == nil || !mayHoldRelease(o.APIVersion, o.Kind) {
		return nil
	}
	labels := o.Root.At("metadata", "labels")
	s := &storedRelease{namespace: o.Namespace, field: o.Root.Get("data").Field(releaseKey)}
	if o.Kind == "Secret" {
		if o.Root.Get("type").StringOr("") != helmrelease.SecretType {
			return nil
		}
		s.coats = 1
		if s.field == nil {
			s.coats, s.field = 0, o.Root.Get("stringData").Field(releaseKey)
		}
	} else if labels.Get("owner").StringOr("") != "helm" {
		return nil
	}
	if s.field == nil || s.field.Value.Kind != wire.String {
		return nil
	}
	// Helm finds releases by these labels.
	s.name, s.status = labels.Get("name").StringOr(""), labels.Get("status").StringOr("")
	s.revision, _ = strconv.Atoi(labels.Get("version").StringOr(""))
	return s
}

// decode decodes a release; false if it cannot, which is then reported.
func (j *judge) decode(in *Input, d document.Document, s *storedRelease, budget *int64, r *result) bool {
	payload := []byte(s.field.Value.Text)
	var err error
	for range s.coats {
		if payload, err = helmrelease.Base64(payload); err != nil {
			j.brokenRelease(in, d, s, err, r)
			return false
		}
	}
	limit := min(int64(j.l.opts.MaxDocument), *budget)
	release, size, err := helmrelease.Decode(payload, limit)
	*budget -= size
	switch {
	case errors.Is(err, helmrelease.ErrLarge):
		r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipTooLarge, Detail: s.String()})
		return false
	case err != nil:
		j.brokenRelease(in, d, s, err, r)
		return false
	}
	s.release = release
	s.name = cmp.Or(s.name, release.Name)
	s.namespace = cmp.Or(s.namespace, release.Namespace)
	s.status = cmp.Or(s.status, release.Info.Status)
	s.revision = cmp.Or(s.revision, release.Revision)
	return true
}

func (j *judge) brokenRelease(in *Input, d document.Document, s *storedRelease, err error, r *result) {
	r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipBroken, Detail: s.String() + ": " + err.Error()})
	j.own(in, r, ruleSyntax, d.Index, Span{s.field.Pos, s.field.End}, rules.Finding{Message: s.String() + ": " + err.Error()})
}

// currentRelease reports whether a revision is the one that Helm goes by when
// it upgrades the release: the newest that is deployed (helm.sh/helm/v4
// v4.3.1, pkg/storage, Deployed) or, where none is, the newest, unless it was
// replaced or uninstalled (pkg/action/upgrade.go, prepareUpgrade).
func currentRelease(s *storedRelease, all []*storedRelease) bool {
	rank := func(o *storedRelease) int {
		if o.status == "deployed" {
			return 1
		}
		return 0
	}
	if s.status == "superseded" || s.status == "uninstalled" {
		return false
	}
	return !slices.ContainsFunc(all, func(o *storedRelease) bool {
		if o == s || o.name != s.name || o.namespace != s.namespace {
			return false
		}
		return cmp.Or(cmp.Compare(rank(o), rank(s)), cmp.Compare(o.revision, s.revision)) > 0
	})
}

// String gives "Helm release shop/web, revision 5 (deployed)".
func (s *storedRelease) String() string {
	text := "Helm release"
	if s.name != "" {
		text += " " + strings.TrimPrefix(s.namespace+"/"+s.name, "/")
	}
	if s.revision != 0 {
		text += ", revision " + strconv.Itoa(s.revision)
	}
	if s.status != "" {
		text += " (" + s.status + ")"
	}
	return text
}

// skipRelease counts a revision that is history.
func (r *result) skipRelease(in *Input, d document.Document, s *storedRelease) {
	r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipReleaseHistory, Detail: s.String()})
}

// release judges the objects of a revision. They have no place of their own:
// findings point at the field that holds them.
func (j *judge) release(in *Input, d document.Document, s *storedRelease, history bool, r *result) {
	from := s.String()
	if chart := s.release.Chart.Metadata.String(); chart != "" {
		from += ", chart " + chart
	}
	if history {
		from = "history: " + from
	}
	one := func(text, what, template string) {
		j.releaseText(in, d, s, text, r, func(f *rules.Finding, source string) {
			where := from + what
			if source = cmp.Or(source, template); source != "" {
				where += ", " + source
			}
			if f.Server != nil && f.Server.Kind == "error" && f.Path != "" && f.Message == f.Server.Text {
				where += ": " + f.Path // the server's text leaves it out
			}
			f.Message = where + ": " + f.Message
			f.Line, f.Column = s.field.Pos.Line, s.field.Pos.Column
			f.EndLine, f.EndColumn = s.field.End.Line, s.field.End.Column
			if history {
				f.Severity = min(f.Severity, rules.Info)
			}
			f.Fix, f.Notes = nil, nil // nobody edits a release
		})
	}
	one(s.release.Manifest, "", "")
	for _, h := range s.release.Hooks {
		what := ", hook"
		if len(h.Events) > 0 {
			what += " " + strings.Join(h.Events, " ")
		}
		one(h.Manifest, what, h.Path)
	}
}

// releaseText judges the documents of a stored manifest.
func (j *judge) releaseText(in *Input, d document.Document, s *storedRelease, text string, r *result, place func(f *rules.Finding, source string)) {
	split := document.NewSplitter([]byte(text))
	for e, ok := split.Next(); ok; e, ok = split.Next() {
		source := templateSource(e.Data)
		start := len(r.findings)
		trees, failed := yamltree.Parse(e.Data, e.Line)
		if failed != nil {
			j.own(in, r, ruleSyntax, d.Index, Span{failed.Pos, failed.End}, rules.Finding{Message: fmt.Sprintf("line %d of its manifest: %s", failed.Pos.Line, failed.Text)})
			r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipBroken, Detail: s.String()})
		}
		for _, t := range trees {
			for _, o := range objects(t.Root) {
				o.Embedded = s.field.Name
				o.setNamespace(s.namespace)
				j.object(in, d.Index, o, r)
			}
		}
		for i := start; i < len(r.findings); i++ {
			place(&r.findings[i], source)
		}
	}
}

// templateSource gives the template that a document of a manifest names in its
// first comment.
func templateSource(doc []byte) string {
	for line := range bytes.Lines(doc) {
		line = bytes.TrimSpace(line)
		if source, ok := bytes.CutPrefix(line, []byte("# Source: ")); ok {
			return string(source)
		}
		if len(line) > 0 && line[0] != '#' && line[0] != '-' {
			break
		}
	}
	return ""
}
