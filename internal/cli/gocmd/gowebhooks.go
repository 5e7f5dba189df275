package gocmd

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/webhook"
)

// webhookOption is the option of the rule webhookdryrun that lists webhooks.
const webhookOption = "webhookdryrun.configurations"

// webhooks returns the webhooks that manifests of the module configure, in the syntax of
// webhookOption. Without such manifests, it returns the webhooks that Go code configures.
// Files that cannot be read are skipped, because kubevet lint reports them.
func (g *run) webhooks(ctx context.Context) string {
	return webhooksBelow(ctx, gocode.ModuleRoot(g.Path(g.flags.directory)), g.Dir, g.Exclude, g.Name)
}

// webhooksBelow is like webhooks for the module in the directory root. exclude has globs
// relative to dir. name returns the name of a file in findings.
func webhooksBelow(ctx context.Context, root, dir string, exclude []string, name func(string) string) string {
	list, _ := source.Expand([]string{root}, source.Options{
		Dir:     dir,
		Exclude: append(slices.Clone(exclude), "vendor/", "testdata/", "node_modules/"),
	})
	in := lintrun.NewInputs(list)
	defer in.Close()
	kinds := []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
	var all []string
	linter := manifestlint.New(manifestlint.Options{
		NewReader: in.NewReader, Mentioning: kinds, NoScripts: true,
		Enabled: func(string) bool { return false },
		Each: func(e manifestlint.Event) func(manifestlint.Event) error {
			if e.Object == nil || !slices.Contains(kinds, e.Object.Kind) {
				return nil
			}
			c := webhook.Read(e.Object.APIVersion, e.Object.Kind, e.Object.Root)
			if c == nil {
				return nil
			}
			return func(e manifestlint.Event) error {
				all = append(all, hookOptions(c, name(e.Input.Name), e.Lines)...)
				return nil
			}
		},
	})
	if _, err := linter.Run(ctx, in.Seq(), func(rules.Finding) error { return nil }); err != nil {
		return ""
	}
	for _, one := range list {
		if one.Template != "" {
			all = append(all, templateWebhooks(one.Path, name(one.Name))...)
		}
	}
	if len(all) == 0 {
		all = codeWebhooks(root, name)
	}
	return strings.Join(all, ",")
}

// hookOptions returns the webhooks of a configuration in the syntax of webhookOption.
// file is its file. lines is added to the line numbers.
func hookOptions(c *webhook.Configuration, file string, lines int) []string {
	var all []string
	for _, h := range c.Hooks {
		kind := "validating"
		if c.Mutating {
			kind = "mutating"
		}
		path := h.At.At("clientConfig", "service", "path").StringOr("")
		fields := []string{kind, path, h.SideEffects, strings.Join(operations(h), "+"), fmt.Sprintf("%s:%d", file, h.At.Pos.Line+lines)}
		if !slices.ContainsFunc(fields, func(f string) bool { return strings.ContainsAny(f, "|,") }) {
			all = append(all, strings.Join(fields, "|"))
		}
	}
	return all
}

// maxTemplate is the maximal size of a template in bytes (1 MiB).
const maxTemplate = 1 << 20

// These patterns match lines of a template whose values are constant.
var (
	templateKind = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^kind:\s*["']?(Mutating|Validating)WebhookConfiguration\b`)
	})
	templatePath    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:- )?path:\s*["']?(/[^\s"'{|,]*)["']?\s*$`) })
	templateEffects = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:- )?sideEffects:\s*(.+?)\s*(?:#.*)?$`) })
)

// templateWebhooks returns the webhooks in a chart template that is not valid YAML, in
// the syntax of webhookOption. It finds a webhook only if its path is constant, and if
// all side effects in the configuration are constant and equal.
func templateWebhooks(path, name string) (all []string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxTemplate {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "WebhookConfiguration") || !strings.Contains(string(data), "{{") {
		return nil
	}
	kind, effects, mixed := "", "", false
	var paths []string
	var lines []int
	flush := func() {
		for i, p := range paths {
			if kind != "" && effects != "" && !mixed && !strings.ContainsAny(name, "|,") {
				all = append(all, fmt.Sprintf("%s|%s|%s||%s:%d", kind, p, effects, name, lines[i]))
			}
		}
		kind, effects, mixed, paths, lines = "", "", false, nil, nil
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "---") {
			flush()
		} else if m := templateKind().FindStringSubmatch(line); m != nil {
			kind = strings.ToLower(m[1])
		} else if m := templatePath().FindStringSubmatch(line); m != nil {
			paths, lines = append(paths, m[1]), append(lines, n)
		} else if m := templateEffects().FindStringSubmatch(line); m != nil {
			said := strings.Trim(m[1], `"'`)
			mixed = mixed || strings.ContainsAny(said, "{|,") || effects != "" && effects != said
			effects = said
		}
	}
	flush()
	return all
}

// operations returns the operations of a webhook's rules in lower case, such as "create".
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
