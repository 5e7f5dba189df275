package contention

import (
	"bytes"
	"strings"
)

// credentialWords are parts of names whose values may be credentials. The names
// are those of fields, annotations, environment variables and keys.
var credentialWords = []string{
	"password", "passwd", "passphrase", "token", "secret", "credential", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey",
	"authorization", "bearer", "cookie", "connectionstring", "dsn",
}

// Redacted reports whether the values of a field are never shown. These are the
// values in Secrets, and values whose path has a name of a credential.
func Redacted(o Object, path string) bool {
	if o.Resource == "secrets" && o.Group == "" && !strings.HasPrefix(path, "metadata.") {
		return true
	}
	return !namesItem(path) && credentialPath(path)
}

// namesItem reports whether a path is the key field of a list item, such as
// spec.taints[key=a].key. The path already contains its value.
func namesItem(path string) bool {
	at := strings.LastIndex(path, "].")
	if at < 0 {
		return false
	}
	open := strings.LastIndexByte(path[:at], '[')
	return open >= 0 && strings.HasPrefix(path[open+1:], path[at+2:]+"=")
}

// credentialPath reports whether the names in a path say that the value is a
// credential. Case and separators do not matter.
func credentialPath(path string) bool {
	name := make([]byte, 0, 64)
	words := make([]byte, 0, 64) // the name with its separators
	for i := range len(path) {
		switch c := path[i]; {
		case c >= 'A' && c <= 'Z':
			if i > 0 && path[i-1] >= 'a' && path[i-1] <= 'z' {
				words = append(words, ' ')
			}
			name, words = append(name, c|0x20), append(words, c|0x20)
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			name, words = append(name, c), append(words, c)
		case c == '.' || c == '[' || c == ']' || c == '=' || c == '"' || c == '/':
			name, words = append(name, ' '), append(words, ' ')
		default:
			words = append(words, ' ')
		}
	}
	for _, w := range credentialWords {
		if bytes.Contains(name, []byte(w)) {
			return true
		}
	}
	return keyWord(string(words))
}

// keyWord reports whether the last word in the last name of a path is key, pass
// or pwd, such as in apiKey. A topologyKey does not count, because it is not a
// credential.
func keyWord(words string) bool {
	list := strings.Fields(words)
	if n := len(list); n > 1 && list[n-1] == "value" { // the value of an environment variable
		list = list[:n-1]
	}
	n := len(list)
	if n == 0 {
		return false
	}
	switch list[n-1] {
	case "pass", "pwd":
		return true
	case "key", "keys":
		return n < 2 || list[n-2] != "topology"
	}
	return false
}

// credential reports whether a value looks like a credential: a private key, a
// JSON web token, a key of AWS or GitHub, or a URL with a password. The name of
// the field does not matter.
func credential(value []byte) bool {
	switch {
	case bytes.Contains(value, []byte("PRIVATE KEY")), bytes.HasPrefix(value, []byte("AKIA")), bytes.HasPrefix(value, []byte("ghp_")),
		bytes.HasPrefix(value, []byte("xoxb-")), bytes.Contains(value, []byte("Bearer ")), bytes.Contains(value, []byte("Basic ")):
		return true
	case bytes.HasPrefix(value, []byte("eyJ")) && bytes.Count(value, []byte(".")) >= 2:
		return true
	}
	if _, rest, found := bytes.Cut(value, []byte("://")); found {
		host, _, _ := bytes.Cut(rest, []byte("/"))
		user, _, at := bytes.Cut(host, []byte("@"))
		return at && bytes.IndexByte(user, ':') >= 0
	}
	return false
}
