package codetrace

import (
	"slices"
	"strings"
)

// Client is a client in an audit log.
type Client struct {
	// User is the user name with which requests of the client were authorized. It is
	// empty if unknown.
	User string
	// Agent is the user agent of the client. It may have a version.
	Agent string
	// Managers has the field managers of the client: those in its requests, and the one
	// that a server derives from the agent.
	Managers []string
	// APIs has the known APIs that the client requested.
	APIs []API
}

// API is the API of a request.
type API struct{ Group, Version, Resource string }

// signature has the names that a client has in its user agent and field managers.
type signature struct {
	// program is the first word of the user agent, without a version. In client-go, it is
	// the name of the program.
	program string
	// managers has the field managers, except program.
	managers []string
	// agentSuffix is the text that rest.AddUserAgent of client-go appended to the user
	// agent. products has further words of the user agent.
	agentSuffix string
	products    []string
	// hasProgram is true if the searched module has a program with the name program. A
	// field manager with this name is then weaker evidence.
	hasProgram bool
}

// agentSuffixPattern matches the text after the commit in the user agent of client-go.
var agentSuffixPattern = lazyRegexp(`\) kubernetes/[^/ ]+/(\S.*)$`)

// product matches a word of a user agent, without the version that may follow.
var product = lazyRegexp(`^[A-Za-z_][A-Za-z0-9_.-]*`)

// signature returns the names in the user agent and the managers of a client.
func (c Client) signature() (s signature) {
	agent := c.Agent
	if m := agentSuffixPattern().FindStringSubmatch(agent); m != nil {
		s.agentSuffix = m[1]
	}
	// Comments in parentheses name platforms and no programs.
	for {
		from := strings.IndexByte(agent, '(')
		if from < 0 {
			break
		}
		to := strings.IndexByte(agent[from:], ')')
		if to < 0 {
			agent = agent[:from]
			break
		}
		agent = agent[:from] + " " + agent[from+to+1:]
	}
	for i, word := range strings.Fields(agent) {
		name, rest, _ := strings.Cut(word, "/")
		switch {
		case i == 0:
			s.program = name
			if s.agentSuffix == "" && !strings.Contains(c.Agent, " ") && rest != "" && !versionLike().MatchString(rest) {
				s.agentSuffix = rest // kubevet has shortened the agent to a form such as kube-controller-manager/namespace-controller
			}
		case name == "kubernetes" || !product().MatchString(name) || versionLike().MatchString(name):
		case !slices.Contains(s.products, name):
			s.products = append(s.products, name)
		}
	}
	for _, m := range c.Managers {
		if m != "" && m != s.program && !slices.Contains(s.managers, m) {
			s.managers = append(s.managers, m)
		}
	}
	return s
}

// versionLike matches words of user agents that are versions or commits.
var versionLike = lazyRegexp(`^(v?[0-9][0-9A-Za-z.+_-]*|[0-9a-f]{7,}|\$Format:?.*|unknown|devel|dev|HEAD|latest|main|master)$`)

// commonPrograms has names that programs of many projects have. Such a name alone is no
// evidence.
var commonPrograms = map[string]bool{
	"admission": true, "agent": true, "api": true, "apiserver": true, "app": true, "backend": true, "bin": true, "bot": true,
	"cli": true, "client": true, "cmd": true, "controller": true, "controller-manager": true, "cron": true, "daemon": true,
	"default": true, "driver": true, "job": true, "main": true, "manager": true, "node": true, "operator": true, "plugin": true,
	"provider": true, "proxy": true, "run": true, "scheduler": true, "server": true, "service": true, "sidecar": true, "start": true,
	"syncer": true, "test": true, "tool": true, "unknown": true, "webhook": true, "worker": true,
}

// toolManagers matches the field managers of well-known tools. A program that names one
// of them may only remove its fields.
var toolManagers = lazyRegexp(`^(kubectl(-(annotate|apply|autoscale|client-side-apply|cordon|create|debug|drain|edit|expose|label|last-applied|patch|replace|rollout|run|scale|set|taint|uncordon|undo))?|helm|before-first-apply|kube-(apiserver|controller-manager|proxy|scheduler)|kubelet|k3s|k0s|rke2|Go-http-client|Mozilla|curl|python-requests|okhttp|Terraform)$`)
