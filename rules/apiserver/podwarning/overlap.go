package podwarning

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// filePath is the path of a file in a volume, with the source of the file.
type filePath struct {
	path   string
	source string // source of the file in a projected volume, else ""
	at     *wire.Value
}

func (p filePath) String() string {
	if p.source == "" {
		return strconv.Quote(p.path)
	}
	return strconv.Quote(p.path) + " (" + p.source + ")"
}

// projections says which gated sources of projected volumes the server keeps.
type projections struct{ trustBundles, certificates bool }

// projections returns the gated sources that the server keeps. Source:
// dropDisabledClusterTrustBundleProjection (1.29–1.37) and
// dropDisabledPodCertificateProjection (1.34–1.37) in pkg/api/pod/util.go.
func (w *writer) projections() projections {
	return projections{w.Enabled("ClusterTrustBundleProjection"), w.Minor >= 34 && w.Enabled("PodCertificateRequest")}
}

// overlaps warns if two files of one volume have the same path. It also warns if
// the path of one file is below the path of the other. Source:
// warningsForOverlappingVirtualPaths (1.32–1.37).
func (w *writer) overlaps(volumes []*wire.Value, kept projections) {
	for i, v := range volumes {
		w.fileOverlaps(i, v, "configMap", "ConfigMap", "name")
		w.fileOverlaps(i, v, "secret", "Secret", "secretName")
		w.fileOverlaps(i, v, "downwardAPI", "DownwardAPI", "")
		if f := v.Given("projected"); f != nil {
			w.projectedOverlaps(i, v, f.Value, kept)
		}
	}
}

// fileOverlaps checks a volume whose only source is the field name.
func (w *writer) fileOverlaps(i int, volume *wire.Value, name, title, nameField string) {
	f := volume.Given(name)
	if f == nil {
		return
	}
	list := f.Value.Get("items").Elements()
	if len(list) < 2 {
		return
	}
	if nameField != "" {
		title += " " + strconv.Quote(f.Value.Get(nameField).StringOr(""))
	}
	all := make([]filePath, 0, len(list))
	for j, p := range pathsOf(list, "") {
		all = w.overlap(volume, title, all, p, w.volumePath(i)+"."+name+".items"+wire.Index(j)+".path")
	}
}

// projectedOverlaps checks the sources of a projected volume together.
func (w *writer) projectedOverlaps(i int, volume, projected *wire.Value, kept projections) {
	var all, paths []filePath
	for j, s := range projected.Get("sources").Elements() {
		path := w.volumePath(i) + ".projected.sources" + wire.Index(j)
		if w.Minor >= 34 {
			paths = nil // 1.32 and 1.33 keep the paths of the previous source by mistake
		}
		ownPaths, dropped := w.sourcePaths(s, kept)
		if dropped {
			name := volume.Get("name").StringOr("")
			w.warn(apiserver.Advice, path, "volume "+strconv.Quote(name)+" (Projected) has no sources provided", s)
			continue
		}
		if ownPaths != nil {
			paths = ownPaths
		}
		for _, p := range paths {
			all = w.overlap(volume, "Projected", all, p, path)
		}
	}
}

// sourcePaths returns the paths of a source of a projected volume. paths is nil
// for a source without a list of paths, and an empty slice for an empty list.
// dropped is set if the server drops the source.
func (w *writer) sourcePaths(s *wire.Value, kept projections) (paths []filePath, dropped bool) {
	configMap, secret := s.Given("configMap"), s.Given("secret")
	downward, token := s.Given("downwardAPI"), s.Given("serviceAccountToken")
	var bundle, certificate *wire.Field
	if kept.trustBundles {
		bundle = s.Given("clusterTrustBundle")
	}
	if kept.certificates {
		certificate = s.Given("podCertificate")
	}
	switch {
	case configMap == nil && secret == nil && downward == nil && token == nil && bundle == nil && certificate == nil:
		return nil, true
	case configMap != nil && configMap.Value.Given("items") != nil:
		return pathsOf(configMap.Value.Get("items").Elements(), "ConfigMap "+strconv.Quote(configMap.Value.Get("name").StringOr(""))), false
	case secret != nil && secret.Value.Given("items") != nil:
		return pathsOf(secret.Value.Get("items").Elements(), "Secret "+strconv.Quote(secret.Value.Get("name").StringOr(""))), false
	case downward != nil && downward.Value.Given("items") != nil:
		return pathsOf(downward.Value.Get("items").Elements(), "DownwardAPI"), false
	case token != nil:
		path := token.Value.Get("path")
		return []filePath{{path.StringOr(""), "ServiceAccountToken", cmp.Or(path, token.Value)}}, false
	case bundle != nil:
		name := bundle.Value.Get("name")
		if name.IsNull() {
			name = bundle.Value.Get("signerName")
		}
		path := bundle.Value.Get("path")
		return []filePath{{path.StringOr(""), "ClusterTrustBundle " + strconv.Quote(name.StringOr("")), cmp.Or(path, bundle.Value)}}, false
	case certificate != nil:
		paths = []filePath{}
		for _, file := range [...]struct{ field, source string }{
			{"certificateChainPath", "PodCertificate chain"},
			{"keyPath", "PodCertificate key"},
			{"credentialBundlePath", "PodCertificate credential bundle"},
		} {
			if path := certificate.Value.Get(file.field); path.StringOr("") != "" {
				paths = append(paths, filePath{path.Text, file.source, path})
			}
		}
		return paths, false
	}
	return nil, false
}

func pathsOf(list []*wire.Value, source string) []filePath {
	paths := make([]filePath, len(list))
	for i, item := range list {
		path := item.Get("path")
		paths[i] = filePath{path.StringOr(""), source, cmp.Or(path, item)}
	}
	return paths
}

// overlap warns if p overlaps an earlier path. It returns the earlier paths and
// p. field is the path of the field that contains p.
func (w *writer) overlap(volume *wire.Value, title string, earlier []filePath, p filePath, field string) []filePath {
	p.path = strings.TrimRight(p.path, "/")
	for i := range earlier {
		e := &earlier[i]
		if !w.countPair() {
			break
		}
		if p.path == "" || e.path == "" || !isBelow(e.path, p.path) && !isBelow(p.path, e.path) {
			continue
		}
		name := volume.Get("name").StringOr("")
		w.warn(apiserver.Advice, field, "volume "+strconv.Quote(name)+" ("+title+"): overlapping paths: "+p.String()+" with "+e.String(), p.at)
	}
	return append(earlier, p)
}

// isBelow reports whether path equals directory or is below it.
func isBelow(path, directory string) bool {
	return strings.HasPrefix(path, directory) && (len(path) == len(directory) || path[len(directory)] == '/')
}
