package helmchart

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Request is a request to a Server. Its fields are exported for encoders only.
// A Request that has only Chart does nothing.
type Request struct {
	// Chart identifies one of the client's charts.
	Chart uint64
	// Open sends the files of the chart. It precedes all other requests for the
	// chart.
	Open     *openRequest
	Render   *renderRequest
	Branches *branchesRequest
	Move     *moveRequest
	Origin   *originRequest
}

// Answer is the answer to a Request. Its fields are exported for encoders only.
type Answer struct {
	// Unknown is set if the server no longer has the chart or the rendering.
	Unknown bool
	// Constraint is the kubeVersion in the Chart.yaml of an opened chart.
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

// packedFolder is a folder with exported fields, for encoders.
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

// packedCluster is a Cluster for encoders. Its APIs are joined to one text,
// because one text is cheaper to send than a thousand.
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
	// ID identifies one of the client's renderings.
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

// failureAnswer is the error of Render, for encoders. It is one of these:
//
//   - Library is set: ErrLibrary.
//   - Incompatible is set: an IncompatibleError. Message is its constraint.
//   - Other is set: an error of another type.
//   - None of them is set: a *Failure.
type failureAnswer struct {
	Library, Incompatible, Other bool

	File           string
	Line, Column   int
	Message        string
	Values, Budget bool
}

type renderAnswer struct {
	Missing, Templates []string
	Outputs            []outputAnswer
	// CRDs are the paths of the files, as the user would type them.
	CRDs []string
}

type outputAnswer struct {
	Template, Text, Key string
	Found, Followed     bool
}

type branchesRequest struct {
	Minors lifecycle.Minors
	// Clusters has the cluster of each minor, in the order of Minors.
	Clusters []packedCluster
}

// moveRequest asks for the position in the templates that corresponds to a
// finding's position in the output. At has the position in the output and the
// finding's message.
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
