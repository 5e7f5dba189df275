package programs

import "strings"

// genericNames lists names that programs of many projects have.
var genericNames = map[string]bool{
	"admission": true, "agent": true, "api": true, "apiserver": true, "app": true, "application": true, "backend": true, "bin": true, "binary": true, "bot": true,
	"cli": true, "client": true, "cmd": true, "command": true, "controller": true, "controllers": true, "core": true, "cron": true, "cronjob": true,
	"daemon": true, "default": true, "demo": true, "driver": true, "entrypoint": true, "example": true, "exporter": true, "frontend": true,
	"gateway": true, "hook": true, "ingress": true, "init": true, "job": true, "main": true, "manager": true, "monitor": true, "node": true, "operator": true, "operators": true,
	"plugin": true, "provider": true, "provisioner": true, "proxy": true, "reconciler": true, "root": true, "run": true, "runner": true,
	"sample": true, "scheduler": true, "server": true, "service": true, "sidecar": true, "src": true, "start": true, "sync": true, "syncer": true,
	"test": true, "tool": true, "tools": true, "unknown": true, "updater": true, "watcher": true, "webhook": true, "webhooks": true, "worker": true, "workspace": true,
}

// roleWords lists words that describe the purpose of a program, and not its project. A
// name is generic if it contains only such words, such as webhook-server.
var roleWords = map[string]bool{
	"admission": true, "agent": true, "api": true, "apiserver": true, "app": true, "cmd": true, "controller": true, "controllers": true, "daemon": true,
	"main": true, "manager": true, "operator": true, "server": true, "service": true, "webhook": true, "webhooks": true, "worker": true,
	"k8s": true, "kube": true, "kubernetes": true, "go": true, "bin": true, "linux": true, "amd64": true, "arm64": true,
}

// Generic reports whether programs of many projects have this name, so that it does not
// identify a program.
func Generic(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, ".exe"))
	if genericNames[name] || roleWords[name] {
		return true
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if !roleWords[word] {
			return false
		}
	}
	return name != ""
}
