package helmchart

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Request is a request to a Server. Its fields are exported for encoders only.
// If only Chart is set, the request does nothing.
type Request struct {
	// Chart identifies the chart, among all charts of the client.
	Chart uint64
	// Open opens the chart for Render and Branches.
	Open     *openRequest
	Render   *renderRequest
	Branches *branchesRequest
	Move     *moveRequest
	Origin   *originRequest
}

// Answer is the answer to a Request. Its fields are exported for encoders only.
type Answer struct {
	// Unknown is set if the server does not have the chart or rendering any more.
	Unknown bool
	// Constraint is the kubeVersion of an opened chart.
	Constraint string
	// Failure is the error of Render; nil for none.
	Failure  *failureAnswer
	Render   *renderAnswer
	Literals []Literal
	Move     *moveAnswer
	Origin   *rules.Related
}

type openRequest struct {
	Place string
	Root  *packedFolder
}

// packedFolder is a folder.
type packedFolder struct {
	Place, SubName string
	Files          []packedFile
	Subs           []*packedFolder
}

type packedFile struct {
	Name, Place  string
	Real, Linked bool
	Data         []byte
}

func packFolder(f *folder) *packedFolder {
	p := &packedFolder{Place: f.place, SubName: f.subName, Files: make([]packedFile, len(f.files))}
	for i := range f.files {
		one := &f.files[i]
		p.Files[i] = packedFile{one.name, one.place, one.real, one.linked, one.data}
	}
	for _, sub := range f.subs {
		p.Subs = append(p.Subs, packFolder(sub))
	}
	return p
}

func (p *packedFolder) folder() *folder {
	f := &folder{place: p.Place, subName: p.SubName, files: make([]file, len(p.Files))}
	for i := range p.Files {
		one := &p.Files[i]
		f.files[i] = file{one.Name, one.Place, one.Real, one.Linked, one.Data}
	}
	for _, sub := range p.Subs {
		f.subs = append(f.subs, sub.folder())
	}
	return f
}

// packedCluster is a Cluster. Its APIs are one text, which is cheaper to send than
// a thousand.
type packedCluster struct{ Version, APIs string }

func packCluster(c Cluster) packedCluster {
	return packedCluster{c.Version, strings.Join(c.APIs, "\n")}
}

func (p packedCluster) cluster() Cluster {
	c := Cluster{Version: p.Version}
	if p.APIs != "" {
		c.APIs = strings.Split(p.APIs, "\n")
	}
	return c
}

type renderRequest struct {
	// ID identifies the rendering, among all renderings of the client.
	ID      uint64
	Files   []packedValues
	Sets    []packedSet
	Cluster packedCluster
	Release Release
}

type packedValues struct {
	Place string
	Text  []byte
}

type packedSet struct {
	Kind SetKind
	Text string
}

func packRender(id uint64, v *Values, cluster Cluster, release Release) *renderRequest {
	r := &renderRequest{ID: id, Cluster: packCluster(cluster), Release: release}
	for _, f := range v.files {
		r.Files = append(r.Files, packedValues{f.place, f.text})
	}
	for _, s := range v.sets {
		r.Sets = append(r.Sets, packedSet{s.kind, s.text})
	}
	return r
}

func (r *renderRequest) values() *Values {
	v := &Values{}
	for _, f := range r.Files {
		v.AddFile(f.Place, f.Text)
	}
	for _, s := range r.Sets {
		v.AddSet(s.Kind, s.Text)
	}
	return v
}

// failureAnswer is an error of Render.
type failureAnswer struct {
	// Library and Incompatible are set for ErrLibrary and for an
	// IncompatibleError, whose constraint is the message. Other is set for any
	// but these and a Failure.
	Library, Incompatible, Other bool

	File           string
	Line, Column   int
	Message        string
	Values, Budget bool
}

type renderAnswer struct {
	Missing, Templates []string
	Outputs            []outputAnswer
	// CRDs are the places of the files.
	CRDs []string
}

type outputAnswer struct {
	Template, Text, Key string
	Found, Followed     bool
}

type branchesRequest struct {
	Minors lifecycle.Minors
	// Clusters are those of the minors, in their order.
	Clusters []packedCluster
}

// moveRequest asks for the position of a finding. Its message is that of At.
type moveRequest struct {
	Rendering uint64
	Key, Rule string
	At        rules.Related
	Related   []rules.Related
}

type moveAnswer struct {
	At      rules.Related
	Related []rules.Related
	Exact   bool
}

type originRequest struct {
	Rendering uint64
	Key       string
	Line      int
}
