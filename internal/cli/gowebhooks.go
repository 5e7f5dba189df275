package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/rules/apiserver/webhook"
)

// webhookOption is the option of webhookdryrun that names the webhooks of
// manifests.
const webhookOption = "webhookdryrun.configurations"

// webhooks are the webhooks that the manifests of the module configure, in the
// words of the option. What cannot be read there is for kubevet lint to tell.
func (g *goRun) webhooks(ctx context.Context) string {
	list, _ := source.Expand([]string{moduleRoot(g.path(g.flags.directory))}, source.Options{
		Dir:     g.dir,
		Exclude: append(slices.Clone(g.exclude), "vendor/", "testdata/", "node_modules/"),
	})
	in := newInputs(list)
	defer in.close()
	given, err := manifestlint.Gather(ctx, in.seq(), manifestlint.GatherOptions{
		Kinds: []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}, NewReader: in.newReader,
	})
	if err != nil {
		return ""
	}
	var all []string
	for _, one := range given {
		o := one.Object
		c := webhook.Read(o.APIVersion, o.Kind, o.Tree())
		if c == nil {
			continue
		}
		for _, h := range c.Hooks {
			kind := "validating"
			if c.Mutating {
				kind = "mutating"
			}
			path := h.At.At("clientConfig", "service", "path").StringOr("")
			fields := []string{kind, path, h.SideEffects, strings.Join(operations(h), "+"), fmt.Sprintf("%s:%d", g.name(one.Input), h.At.Pos.Line)}
			if !slices.ContainsFunc(fields, func(f string) bool { return strings.ContainsAny(f, "|,") }) {
				all = append(all, strings.Join(fields, "|"))
			}
		}
	}
	return strings.Join(all, ",")
}

// operations are the verbs that a webhook's rules name, in lower case.
func operations(h *webhook.Hook) (verbs []string) {
	rules := h.At.Get("rules")
	if rules == nil {
		return nil
	}
	for _, r := range rules.Items {
		list := r.Get("operations")
		if list == nil {
			continue
		}
		for _, v := range list.Items {
			if verb := strings.ToLower(v.StringOr("")); !slices.Contains(verbs, verb) {
				verbs = append(verbs, verb)
			}
		}
	}
	return verbs
}

// moduleRoot is the nearest directory with a go.mod from dir upwards; dir if
// there is none.
func moduleRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && info.Mode().IsRegular() {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
