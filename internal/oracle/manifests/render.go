package manifests

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	commonutil "helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// build renders a kustomization. It returns nil if this fails, for example because of
// remote bases.
func build(dir, path string) *Stream {
	text, err := os.ReadFile(filepath.Join(dir, "kustomization.yaml"))
	if err == nil && (strings.Contains(string(text), "://") || strings.Contains(string(text), "github.com/")) {
		return nil // remote files are not fetched
	}
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	made, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return nil
	}
	data, err := made.AsYaml()
	if err != nil {
		return nil
	}
	return &Stream{Name: path + " (built)", Rendered: true, Data: data}
}

// renderChart renders a chart with its own values, and with each values file in its ci
// directory. Renderings with errors are left out.
func renderChart(dir, path, minor string) []*Stream {
	loaded, err := loader.Load(dir)
	if err != nil {
		return nil
	}
	var all []*Stream
	files, _ := filepath.Glob(filepath.Join(dir, "ci", "*values.yaml")) // the pattern is fixed, so there is no error
	for _, file := range append([]string{""}, files...) {
		values := map[string]any{}
		name := path + " (rendered)"
		if file != "" {
			data, err := os.ReadFile(file)
			if err != nil || yaml.Unmarshal(data, &values) != nil {
				continue
			}
			name = path + " (rendered with " + filepath.Base(file) + ")"
		}
		if data := template(loaded, values, minor); data != nil {
			all = append(all, &Stream{Name: name, Rendered: true, Data: data})
		}
	}
	return all
}

// template returns the output of helm template --include-crds.
func template(c *chart.Chart, values map[string]any, minor string) []byte {
	if chartutil.ProcessDependencies(c, values) != nil {
		return nil
	}
	capabilities := common.DefaultCapabilities.Copy()
	version, err := common.ParseKubeVersion("v" + minor + ".0")
	if err != nil {
		return nil
	}
	capabilities.KubeVersion = *version
	with, err := commonutil.ToRenderValues(c, values, common.ReleaseOptions{Name: "release", Namespace: "default", Revision: 1, IsInstall: true}, capabilities)
	if err != nil {
		return nil
	}
	rendered, err := engine.Render(c, with)
	if err != nil {
		return nil
	}
	var text strings.Builder
	for _, crd := range c.CRDObjects() {
		text.WriteString("---\n" + string(crd.File.Data) + "\n")
	}
	var names []string
	for name := range rendered {
		if base := filepath.Base(name); !strings.HasPrefix(base, "_") && base != "NOTES.txt" && !strings.HasSuffix(base, ".tpl") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		text.WriteString("---\n" + rendered[name] + "\n")
	}
	return []byte(text.String())
}
