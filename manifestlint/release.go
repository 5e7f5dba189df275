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

// releaseKey is the key in a Secret or ConfigMap whose value is a Helm release.
const releaseKey = "release"

// maxExpansion limits the total size of the releases that are unpacked from one
// document, to this number times Options.MaxDocument. Small compressed releases
// can expand a thousandfold.
const maxExpansion = 16

// mayHoldRelease reports whether Helm stores releases in objects of this kind.
func mayHoldRelease(apiVersion, kind string) bool {
	return apiVersion == "v1" && (kind == "Secret" || kind == "ConfigMap")
}

// storedRelease is one revision of a Helm release in an object.
type storedRelease struct {
	field *wire.Field // field with the release
	// encodings is the number of base64 encodings in addition to Helm's own.
	encodings               int
	namespace, name, status string
	revision                int
	release                 *helmrelease.Release // nil before it is decoded
}

// releases checks the manifests of Helm releases in the objects of a document.
// It checks the current revision of each release. Other revisions are counted,
// or checked as history.
func (c *checker) releases(in *Input, d document.Document, found []*Object, r *result) {
	if len(c.l.opts.Checks) == 0 {
		return
	}
	var all []*storedRelease
	budget := maxExpansion * int64(c.l.opts.MaxDocument)
	for _, o := range found {
		s := storedReleaseIn(o)
		if s == nil {
			continue
		}
		if (s.name == "" || s.status == "" || s.revision == 0) && !c.decode(in, d, s, &budget, r) {
			continue
		}
		all = append(all, s)
	}
	for _, s := range all {
		history := !currentRelease(s, all)
		if history && !c.l.opts.ReleaseHistory {
			r.skipRelease(in, d, s)
			continue
		}
		if s.release == nil && !c.decode(in, d, s, &budget, r) {
			continue
		}
		c.release(in, d, s, history, r)
		s.release = nil
	}
}

// storedReleaseIn returns the release that an object contains; nil for none.
func storedReleaseIn(o *Object) *storedRelease {
	if o.Root == nil || !mayHoldRelease(o.APIVersion, o.Kind) {
		return nil
	}
	labels := o.Root.At("metadata", "labels")
	s := &storedRelease{namespace: o.Namespace, field: o.Root.Get("data").Field(releaseKey)}
	if o.Kind == "Secret" {
		if o.Root.Get("type").StringOr("") != helmrelease.SecretType {
			return nil
		}
		s.encodings = 1
		if s.field == nil {
			s.encodings, s.field = 0, o.Root.Get("stringData").Field(releaseKey)
		}
	} else if labels.Get("owner").StringOr("") != "helm" {
		return nil
	}
	if s.field == nil || s.field.Value.Kind != wire.String {
		return nil
	}
	// Helm finds its releases by these labels.
	s.name, s.status = labels.Get("name").StringOr(""), labels.Get("status").StringOr("")
	s.revision, _ = strconv.Atoi(labels.Get("version").StringOr(""))
	return s
}

// decode decodes a release, or reports an error and returns false.
func (c *checker) decode(in *Input, d document.Document, s *storedRelease, budget *int64, r *result) bool {
	payload := []byte(s.field.Value.Text)
	var err error
	for range s.encodings {
		if payload, err = helmrelease.Base64(payload); err != nil {
			c.brokenRelease(in, d, s, err, r)
			return false
		}
	}
	limit := min(int64(c.l.opts.MaxDocument), *budget)
	release, size, err := helmrelease.Decode(payload, limit)
	*budget -= size
	switch {
	case errors.Is(err, helmrelease.ErrLarge):
		r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipTooLarge, Detail: s.String()})
		return false
	case err != nil:
		c.brokenRelease(in, d, s, err, r)
		return false
	}
	s.release = release
	s.name = cmp.Or(s.name, release.Name)
	s.namespace = cmp.Or(s.namespace, release.Namespace)
	s.status = cmp.Or(s.status, release.Info.Status)
	s.revision = cmp.Or(s.revision, release.Revision)
	return true
}

func (c *checker) brokenRelease(in *Input, d document.Document, s *storedRelease, err error, r *result) {
	r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipBroken, Detail: s.String() + ": " + err.Error()})
	c.reportOwn(in, r, ruleSyntax, d.Index, Span{s.field.Pos, s.field.End}, rules.Finding{Message: s.String() + ": " + err.Error()})
}

// currentRelease reports whether Helm would upgrade the release from this
// revision. Helm upgrades from the newest deployed revision (helm.sh/helm/v4
// v4.3.1, pkg/storage, Deployed). If no revision is deployed, it upgrades from
// the newest revision that was not replaced or uninstalled
// (pkg/action/upgrade.go, prepareUpgrade).
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

// String returns a text such as "Helm release shop/web, revision 5 (deployed)".
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

// skipRelease counts a revision that is not checked because it is history.
func (r *result) skipRelease(in *Input, d document.Document, s *storedRelease) {
	r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipReleaseHistory, Detail: s.String()})
}

// release checks the objects of a revision. Findings have the position of the
// field that contains the revision. history marks the findings of a revision
// that is not current.
func (c *checker) release(in *Input, d document.Document, s *storedRelease, history bool, r *result) {
	from := s.String()
	if chart := s.release.Chart.Metadata.String(); chart != "" {
		from += ", chart " + chart
	}
	if history {
		from = "history: " + from
	}
	one := func(text, name, template string) {
		c.releaseText(in, d, s, text, r, func(f *rules.Finding, source string) {
			origin := from + name
			if source = cmp.Or(source, template); source != "" {
				origin += ", " + source
			}
			if f.Server != nil && f.Server.Kind == "error" && f.Path != "" && f.Message == f.Server.Text {
				origin += ": " + f.Path // the server's message has no path
			}
			f.Message = origin + ": " + f.Message
			f.Line, f.Column = s.field.Pos.Line, s.field.Pos.Column
			f.EndLine, f.EndColumn = s.field.End.Line, s.field.End.Column
			if history {
				f.Severity = min(f.Severity, rules.Info)
			}
			f.Fix, f.Notes = nil, nil // a release cannot be edited
		})
	}
	one(s.release.Manifest, "", "")
	for _, h := range s.release.Hooks {
		name := ", hook"
		if len(h.Events) > 0 {
			name += " " + strings.Join(h.Events, " ")
		}
		one(h.Manifest, name, h.Path)
	}
}

// releaseText checks the documents of a manifest in a release. place sets the
// position of a finding.
func (c *checker) releaseText(in *Input, d document.Document, s *storedRelease, text string, r *result, place func(f *rules.Finding, source string)) {
	split := document.NewSplitter([]byte(text))
	for e, ok := split.Next(); ok; e, ok = split.Next() {
		source := templateSource(e.Data)
		start := len(r.findings)
		trees, failed := yamltree.Parse(e.Data, e.Line)
		if failed != nil {
			c.reportOwn(in, r, ruleSyntax, d.Index, Span{failed.Pos, failed.End}, rules.Finding{Message: fmt.Sprintf("line %d of its manifest: %s", failed.Pos.Line, failed.Text)})
			r.skip(rules.NotJudged{File: in.Name, Document: d.Index, Line: s.field.Pos.Line, Reason: rules.SkipBroken, Detail: s.String()})
		}
		for _, t := range trees {
			for _, o := range objects(t.Root) {
				o.Embedded, o.Installed = s.field.Name, true
				o.setNamespace(s.namespace)
				c.object(in, d.Index, o, r)
			}
		}
		for i := start; i < len(r.findings); i++ {
			place(&r.findings[i], source)
		}
	}
}

// templateSource returns the name of the template from the first comment of a
// document that Helm rendered.
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
