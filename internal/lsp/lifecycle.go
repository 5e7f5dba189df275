package lsp

import (
	"encoding/json"
	"path/filepath"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// clientSettings are the settings that a client sends as initializationOptions, or under
// the key kubevet in workspace/didChangeConfiguration. Like flags, they are trusted.
type clientSettings struct {
	// Target replaces the target of the configuration, unless it is empty.
	Target string `json:"target"`
	// Compare is the release whose verdicts code lenses show: a version, "next" (the
	// default) for the release after the target, or "off".
	Compare string `json:"compare"`
	// If Go is true, Go packages are checked when one of their files is saved.
	Go bool `json:"go"`
	// AsksReason is true if the client has the command kubevet.suppressWithReason, which
	// asks the user for a reason and then runs kubevet.suppress.
	AsksReason bool `json:"asksReason"`
}

func defaultSettings() clientSettings { return clientSettings{Compare: compareNext, Go: true} }

// These are special values of clientSettings.Compare.
const (
	compareNext = "next"
	compareOff  = "off"
)

// apply sets the settings that a client sent. For invalid settings, it returns an error
// and changes nothing.
func (c *clientSettings) apply(raw json.RawMessage) error {
	changed := *c
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, &changed); err != nil {
		return failure(codeInvalidParams, "the settings are not those of kubevet: %v", err)
	}
	for _, version := range []string{changed.Target, changed.Compare} {
		if version == "" || version == compareNext || version == compareOff {
			continue
		}
		if _, err := lifecycle.NewTarget(version, nil, nil); err != nil {
			return failure(codeInvalidParams, "the settings: %v", err)
		}
	}
	*c = changed
	return nil
}

// These commands are run by the server.
const (
	commandTarget   = "kubevet.target"
	commandSuppress = "kubevet.suppress"
	commandVerdict  = "kubevet.verdict"
	commandCheck    = "kubevet.check"
	// commandAskReason is run by the client.
	commandAskReason = "kubevet.suppressWithReason"
)

func (s *server) initialize(p *initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.settings.apply(p.InitializationOptions); err != nil {
		return nil, err
	}
	s.client = p.Capabilities
	folders := p.WorkspaceFolders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []workspaceFolder{{URI: p.RootURI}}
	}
	if len(folders) == 0 && filepath.IsAbs(p.RootPath) {
		folders = []workspaceFolder{{URI: uriOf(p.RootPath)}}
	}
	for _, folder := range folders {
		s.addRoot(folder.URI)
	}
	s.phase = running
	return map[string]any{
		"serverInfo": map[string]any{"name": "kubevet", "version": s.o.Version},
		"capabilities": map[string]any{
			"positionEncoding": "utf-16",
			"textDocumentSync": map[string]any{
				"openClose": true,
				"change":    2, // 2 is incremental
				"save":      map[string]any{"includeText": false},
			},
			"hoverProvider":      true,
			"codeActionProvider": map[string]any{"codeActionKinds": []string{kindQuickFix, kindFixAll}},
			"codeLensProvider":   map[string]any{"resolveProvider": false},
			"executeCommandProvider": map[string]any{
				"commands": []string{commandTarget, commandSuppress, commandVerdict, commandCheck},
			},
			// Clients can offer these releases to a user who chooses a target.
			"experimental": map[string]any{"releases": releases()},
			"workspace": map[string]any{
				"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true},
			},
		},
	}, nil
}

// releases returns all known releases, the newest first.
func releases() []string {
	var all []string
	for m := lifecycle.Newest; m >= lifecycle.Oldest; m-- {
		all = append(all, m.String())
	}
	return all
}

// watchedGlob matches the files that can change findings.
const watchedGlob = "**/{*.yaml,*.yml,*.json,*.tpl,*.tgz,*.txt,*.sh,*.md,Makefile,Dockerfile,.helmignore,.gitignore}"

// initialized starts the work of all roots, because the client is now ready for messages.
func (s *server) initialized() {
	s.mu.Lock()
	watches := s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration
	for _, r := range s.roots {
		r.startWork()
	}
	s.mu.Unlock()
	if !watches {
		return
	}
	s.work.Go(func() {
		// Without this registration, the server learns only about files that the editor
		// itself saves.
		_ = s.call(s.ctx, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "kubevet-files", "method": "workspace/didChangeWatchedFiles",
			"registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": watchedGlob}}},
		}}}, nil)
	})
}

// shutdown stops the work. Afterwards, the client may only send exit.
func (s *server) shutdown() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = stopped
	for _, cancel := range s.requests {
		cancel()
	}
	for _, r := range s.roots {
		r.stopWork()
	}
	return nil
}

// settingsParams are the parameters of workspace/didChangeConfiguration.
type settingsParams struct {
	Settings struct {
		Kubevet json.RawMessage `json:"kubevet"`
	} `json:"settings"`
}

func (s *server) didChangeConfiguration(p *settingsParams) {
	s.mu.Lock()
	old := s.settings
	err := s.settings.apply(p.Settings.Kubevet)
	changed := s.settings != old
	target := s.settings.Target
	var roots []*root
	if changed {
		roots = append(roots, s.roots...)
	}
	s.mu.Unlock()
	if err != nil {
		s.showMessage(messageError, "%v", err)
		return
	}
	for _, r := range roots {
		if target != old.Target {
			_ = r.SetTarget(target) // no error is possible, because apply has checked the target
		}
		r.rescan(0)
	}
}

// foldersParams are the parameters of workspace/didChangeWorkspaceFolders.
type foldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

func (s *server) didChangeFolders(p *foldersParams) {
	var over []*root
	s.mu.Lock()
	for _, folder := range p.Event.Removed {
		if r := s.removeRoot(folder.URI); r != nil {
			over = append(over, r)
		}
	}
	for _, folder := range p.Event.Added {
		r, replaced := s.addRoot(folder.URI)
		over = append(over, replaced...)
		if r != nil {
			r.startWork()
		}
	}
	s.mu.Unlock()
	for _, r := range over {
		r.stopWork()
		r.clearDiagnostics()
	}
}
