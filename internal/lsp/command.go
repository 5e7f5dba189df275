package lsp

import (
	"context"
	"encoding/json"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

func (s *server) execute(ctx context.Context, p *executeParams) (any, error) {
	switch p.Command {
	case commandTarget:
		a, err := argument[targetArguments](p)
		if err != nil {
			return nil, err
		}
		return s.setTarget(ctx, a)
	case commandSuppress:
		a, err := argument[suppressArguments](p)
		if err != nil {
			return nil, err
		}
		return nil, s.suppress(ctx, a)
	case commandVerdict:
		a, err := argument[verdictArguments](p)
		if err != nil {
			return nil, err
		}
		return s.showVerdict(ctx, a)
	case commandCheck:
		for _, r := range s.chosenRoots("") {
			r.rescan(0)
		}
		return nil, nil
	}
	return nil, failure(codeInvalidParams, "the server has no command %q", p.Command)
}

// argument decodes the only argument of a command. Without an argument, it returns the
// zero value.
func argument[T any](p *executeParams) (*T, error) {
	a := new(T)
	if len(p.Arguments) == 0 {
		return a, nil
	}
	if err := json.Unmarshal(p.Arguments[0], a); err != nil {
		return nil, failure(codeInvalidParams, "the argument of %s is not an object with its fields", p.Command)
	}
	return a, nil
}

// targetArguments are the arguments of the command kubevet.target.
type targetArguments struct {
	// URI is the URI of a document or folder. If it is empty, the command is for the
	// whole workspace.
	URI string `json:"uri,omitempty"`
	// Target is a version or a range. An empty string selects the target of the
	// configuration. If Target is nil, the user is asked.
	Target *string `json:"target,omitempty"`
}

// maxOffered is the maximal number of releases that the user can choose from.
const maxOffered = 8

// fromConfiguration is the choice that selects the target of the configuration.
const fromConfiguration = "configuration"

// setTarget sets the target of one folder or of all folders, and returns it.
func (s *server) setTarget(ctx context.Context, a *targetArguments) (any, error) {
	roots := s.chosenRoots(a.URI)
	if len(roots) == 0 {
		return nil, failure(codeInvalidParams, "there is no such folder")
	}
	if a.Target == nil {
		chosen, err := s.askTarget(ctx, roots[0])
		if err != nil || chosen == nil {
			return targetText(roots[0]), err
		}
		a.Target = chosen
	}
	for _, r := range roots {
		if err := r.SetTarget(*a.Target); err != nil {
			return nil, failure(codeInvalidParams, "target: %v", err)
		}
	}
	for _, r := range roots {
		r.rescan(0)
	}
	if *a.Target == "" {
		return fromConfiguration, nil
	}
	return *a.Target, nil
}

// targetText returns the target of the last check of the folder, or "" before the first.
func targetText(r *root) string {
	if t, ok := r.Target(); ok {
		return t.Range.String()
	}
	return ""
}

// askTarget asks the user for a target. It returns nil if the user chooses none.
func (s *server) askTarget(ctx context.Context, r *root) (*string, error) {
	type item struct {
		Title string `json:"title"`
	}
	var items []item
	for m := lifecycle.Newest; m > lifecycle.Newest-maxOffered && m >= lifecycle.Oldest; m-- {
		items = append(items, item{m.String()})
	}
	items = append(items, item{fromConfiguration})
	var chosen *item
	err := s.call(ctx, "window/showMessageRequest", map[string]any{
		"type": messageInfo, "message": "kubevet checks for Kubernetes " + targetText(r) + ". Check for:", "actions": items,
	}, &chosen)
	if err != nil || chosen == nil {
		return nil, err
	}
	if chosen.Title == fromConfiguration {
		chosen.Title = ""
	}
	return &chosen.Title, nil
}

// chosenRoots returns the root of the document or folder with a URI. If uri is empty, it
// returns all roots.
func (s *server) chosenRoots(uri string) []*root {
	s.mu.Lock()
	defer s.mu.Unlock()
	if uri == "" {
		return append([]*root(nil), s.roots...)
	}
	path, ok := pathOf(uri)
	if !ok {
		return nil
	}
	if r := s.rootOf(path); r != nil {
		return []*root{r}
	}
	return nil
}

// refreshLenses makes the client request its code lenses again.
func (r *root) refreshLenses() {
	if !r.s.client.Workspace.CodeLens.RefreshSupport {
		return
	}
	r.s.work.Go(func() { _ = r.s.call(r.ctx, "workspace/codeLens/refresh", nil, nil) })
}
