package scripts

import (
	"path"
	"strings"

	"github.com/kubevet/kubevet/rules/kubectl"
)

// prefixed gives the command that another one runs, which is named in its
// arguments; nil where none is known.
func (w *walker) prefixed(name string, words []text) []text {
	switch name {
	case "":
		// $SUDO kubectl …: whatever it is, it is there to run what follows.
		return atProgram(words[1:], true)
	case "ssh":
		return w.remote(words)
	case "docker", "podman", "nerdctl", "docker-compose", "crictl":
		return inContainer(words)
	case "minikube", "k3s", "k0s", "microk8s", "rancher", "rke2", "colima", "k3d", "multipass", "vagrant", "lima", "limactl":
		if rest := atProgram(words[1:], false); rest != nil {
			if name == "minikube" && len(rest) > 1 && rest[1].s == "--" {
				return append(rest[:1:1], rest[2:]...)
			}
			return rest
		}
		return behindDashes(words)
	case "microk8s.kubectl":
		return append([]text{made("kubectl", words[0].all())}, words[1:]...)
	}
	if quiet[name] {
		return nil
	}
	if runs(name) {
		return atProgram(words[1:], true)
	}
	return behindDashes(words)
}

// quiet are programs that say, look for or install what they are given.
var quiet = map[string]bool{
	"echo": true, "printf": true, "grep": true, "egrep": true, "fgrep": true, "rg": true, "sed": true, "awk": true,
	"which": true, "type": true, "hash": true, "whereis": true, "man": true, "install": true, "cp": true, "mv": true,
	"ln": true, "rm": true, "chmod": true, "chown": true, "ls": true, "curl": true, "wget": true, "git": true, "gh": true,
	"go": true, "apt": true, "apt-get": true, "yum": true, "dnf": true, "apk": true, "brew": true, "snap": true,
	"helm": true, "tee": true, "diff": true, "cat": true, "tar": true,
}

// runs reports whether a program or function, by its name, runs the command
// in its arguments.
func runs(name string) bool {
	switch name {
	case "sudo", "doas", "env", "time", "timeout", "gtimeout", "nohup", "nice", "ionice", "exec", "command", "xargs",
		"parallel", "watch", "chronic", "stdbuf", "setsid", "unbuffer", "script", "chroot", "strace", "flock", "builtin",
		"entr", "annotate-output", "ts", "!":
		return true
	}
	lower := strings.ToLower(name)
	for _, word := range []string{"run", "retry", "retries", "exec", "until", "wait", "try", "attempt", "eventually", "repeat", "must", "assert", "verify", "expect", "check"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// atProgram finds the word that names kubectl, oc or, if shells is set, a
// shell with a command, and gives it with what follows.
func atProgram(words []text, shells bool) []text {
	for i, word := range words {
		if word.s == "" {
			continue
		}
		name := programName(word)
		if kubectl.ProgramOf(name) != 0 {
			return words[i:]
		}
		if shells && (shellName(name) || name == "su") {
			if _, ok := shellText(words[i+1:]); ok {
				return words[i:]
			}
		}
		if quiet[name] && !strings.HasPrefix(word.s, "-") && i == 0 {
			return nil
		}
		// xargs -I{} docker run …, sudo ssh …
		if shells && i < 8 && (name == "docker" || name == "ssh" || name == "minikube" || name == "k3s" || name == "microk8s") {
			return words[i:]
		}
	}
	return nil
}

// behindDashes finds a command behind "--": many programs run that.
func behindDashes(words []text) []text {
	for i, word := range words {
		if word.s != "--" || i+1 >= len(words) {
			continue
		}
		name := programName(words[i+1])
		if kubectl.ProgramOf(name) != 0 || shellName(name) {
			return words[i+1:]
		}
		return nil
	}
	return nil
}

// inContainer finds the command in docker run and docker exec: a program in
// the container, or an image that is called after kubectl.
func inContainer(words []text) []text {
	verb := ""
	for _, word := range words[1:] {
		if !strings.HasPrefix(word.s, "-") {
			verb = word.s
			break
		}
	}
	if verb != "run" && verb != "exec" && verb != "compose" {
		return nil
	}
	for i, word := range words {
		if i < 2 || strings.HasPrefix(word.s, "-") {
			continue
		}
		before := words[i-1].s
		if strings.HasPrefix(before, "-") && !strings.Contains(before, "=") && (before == "--name" || before == "--entrypoint" || before == "-v" || before == "--volume" || before == "-e" || before == "--env") {
			continue
		}
		name := programName(word)
		if strings.Contains(word.s, "/") || strings.Contains(word.s, ":") {
			// bitnami/kubectl:1.30, which begins with its entry point
			image, _, _ := strings.Cut(path.Base(word.s), ":")
			if kubectl.ProgramOf(image) != 0 && i+1 < len(words) && kubectl.ProgramOf(programName(words[i+1])) == 0 && !shellName(programName(words[i+1])) {
				return append([]text{made(image, word.all())}, words[i+1:]...)
			}
		}
		if kubectl.ProgramOf(name) != 0 {
			return words[i:]
		}
		if shellName(name) {
			if _, ok := shellText(words[i+1:]); ok {
				return words[i:]
			}
		}
	}
	return nil
}

// remote gives what ssh runs: the words behind the host, as one text for a
// shell.
func (w *walker) remote(words []text) []text {
	for i := 1; i < len(words); i++ {
		s := words[i].s
		if strings.HasPrefix(s, "-") {
			if len(s) == 2 && strings.Contains("bcDEeFIiJLlmOopQRSWw", s[1:]) {
				i++
			}
			continue
		}
		if i+1 >= len(words) {
			return nil
		}
		place := words[i].all()
		return []text{made("sh", place), made("-c", place), spaced(words[i+1:])}
	}
	return nil
}
