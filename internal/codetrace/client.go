package codetrace

import (
	"slices"
	"strings"
)

// Client is a client in an audit log.
type Client struct {
	// User is the user for whom its requests were authorized; empty if not known.
	User string
	// Agent is the user agent, with its version or without.
	Agent string
	// Managers are its field managers: those in its requests, and the one that a server
	// derives.
	Managers []string
	// APIs are all APIs that it asked for, as far as they are known.
	APIs []API
}

// API is the API of a request.
type API struct{ Group, Version, Resource string }

// signature contains the names that a client uses for itself.
type signature struct {
	// program is the first word of its user agent, without a version: client-go's
	// default name of a program.
	program string
	// managers are its field managers except program.
	managers []string
	// part is the text that client-go's rest.AddUserAgent appended, products are
	// further words of the agent.
	part     string
	products []string
	// built says that the module in question has a program of that name. A field
	// manager of the same name is then weaker evidence.
	built bool
}

// part is the text after the commit in client-go's own user agent.
var part = once(`\) kubernetes/[^/ ]+/(\S.*)$`)

// product is a word of a user agent, with its version or without.
var product = once(`^[A-Za-z_][A-Za-z0-9_.-]*`)

// signature extracts a client's names.
func (c Client) signature() (s signature) {
	agent := c.Agent
	if m := part().FindStringSubmatch(agent); m != nil {
		s.part = m[1]
	}
	// Without its comments, because platforms name no program.
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
			if s.part == "" && !strings.Contains(c.Agent, " ") && rest != "" && !versionLike().MatchString(rest) {
				s.part = rest // as kubevet folds it: kube-controller-manager/namespace-controller
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

// versionLike are the parts of user agents that are versions or commits.
var versionLike = once(`^(v?[0-9][0-9A-Za-z.+_-]*|[0-9a-f]{7,}|\$Format:?.*|unknown|devel|dev|HEAD|latest|main|master)$`)

// generic are names of programs in many projects, so that one alone says nothing.
var generic = map[string]bool{
	"admission": true, "agent": true, "api": true, "apiserver": true, "app": true, "backend": true, "bin": true, "bot": true,
	"cli": true, "client": true, "cmd": true, "controller": true, "controller-manager": true, "cron": true, "daemon": true,
	"default": true, "driver": true, "job": true, "main": true, "manager": true, "node": true, "operator": true, "plugin": true,
	"provider": true, "proxy": true, "run": true, "scheduler": true, "server": true, "service": true, "sidecar": true, "start": true,
	"syncer": true, "test": true, "tool": true, "unknown": true, "webhook": true, "worker": true,
}

// foreign are the field managers of well-known tools. Code may name them in order to
// clean up their fields.
var foreign = once(`^(kubectl(-(annotate|apply|autoscale|client-side-apply|cordon|create|debug|drain|edit|expose|label|last-applied|patch|replace|rollout|run|scale|set|taint|uncordon|undo))?|helm|before-first-apply|kube-(apiserver|controller-manager|proxy|scheduler)|kubelet|k3s|k0s|rke2|Go-http-client|Mozilla|curl|python-requests|okhttp|Terraform)$`)
