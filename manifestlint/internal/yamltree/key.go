package yamltree

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxKey is the largest length of a key that the reader accepts, in bytes. YAML
// requires a key's colon within 1024 characters.
const maxKey = 512

// Classes of bytes in plain keys.
const (
	inAnyKey   uint8 = 1 << iota // allowed in all keys
	inBlockKey                   // allowed in keys of a block map, but not as the first byte
)

// keyBytes has the class of each byte. The reader does not support keys with a
// byte of class 0.
var keyBytes = func() (class [256]uint8) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-$" {
		class[c] = inAnyKey | inBlockKey
	}
	for _, c := range "{}[],\"'@%&*!|<>=+~^();" {
		class[c] = inBlockKey
	}
	return class
}()

// plainByte reports whether a byte can begin a plain key or scalar. For a dash,
// the caller must also check isDash.
func plainByte(c byte) bool { return keyBytes[c]&inAnyKey != 0 }

// scanKey reads "key:" at the start of text. block is set for a block map. key
// has no quotes. colon is the length of the text up to and including the colon.
func scanKey(text string, block bool) (key string, colon int, ok bool) {
	i := 0
	switch c := text[0]; {
	case c == '"' || c == '\'':
		for i = 1; i < len(text) && text[i] != c; i++ {
			if text[i] == '\\' {
				return "", 0, false
			}
		}
		i++
		if i >= len(text) || text[i] == c {
			return "", 0, false
		}
		key = text[1 : i-1]
	case c == '-' || !plainByte(c):
		return "", 0, false
	default:
		class := inAnyKey
		if block {
			class = inBlockKey
		}
		for {
			for i < len(text) && keyBytes[text[i]]&class != 0 {
				i++
			}
			// Fields of managedFields have names such as f:spec and k:{"name":"web"}.
			if i+1 < len(text) && text[i] == ':' && keyBytes[text[i+1]]&class != 0 {
				i++
				continue
			}
			break
		}
		key = text[:i]
	}
	if i >= len(text) || i > maxKey || text[i] != ':' || i+1 < len(text) && text[i+1] != ' ' {
		return "", 0, false
	}
	return key, i + 1, true
}

// fieldName returns the JSON name of a key. text begins with the key's quote,
// if it has one. It returns false for a plain key that is a boolean, null or
// an unusual number, because two spellings of it can be one name.
func fieldName(text, key string) (string, bool) {
	if text[0] == '"' || text[0] == '\'' || isWord(key) {
		return key, true
	}
	if kind, _ := wire.Plain(key); kind == wire.String {
		return key, true
	}
	return key, isCanonicalInt(key)
}

// isWord reports whether the first letter of a plain scalar proves that it is a
// string. All booleans and nulls begin with one of a few letters.
func isWord(text string) bool {
	c := text[0]
	return c >= 'A' && c <= 'z' && strings.IndexByte("yYnNtTfFoO", c) < 0
}

// isCanonicalInt reports whether a key is an integer in the form of JSON.
func isCanonicalInt(key string) bool {
	if len(key) > 18 || key[0] == '0' && len(key) > 1 {
		return false
	}
	for _, c := range []byte(key) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
