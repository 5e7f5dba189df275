package yamltree

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxKey is the longest key that the reader accepts. YAML wants a key's colon
// within 1024 characters.
const maxKey = 512

// Classes of bytes in plain keys.
const (
	anywhere  uint8 = 1 << iota // may be part of any key
	blockOnly                   // may be part of a key of a block map, but not begin it
)

// keyBytes is the class of each byte; 0: the library must decide.
var keyBytes = func() (class [256]uint8) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-$" {
		class[c] = anywhere | blockOnly
	}
	for _, c := range "{}[],\"'@%&*!|<>=+~^();" {
		class[c] = blockOnly
	}
	return class
}()

// plainByte reports whether a byte may begin a plain key or scalar, unless it
// is a dash.
func plainByte(c byte) bool { return keyBytes[c]&anywhere != 0 }

// scanKey reads "key:" at the start of text, in a block map or in a flow map.
// It returns the key without its quotes and the length up to and with the
// colon.
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
		class := anywhere
		if block {
			class = blockOnly
		}
		for {
			for i < len(text) && keyBytes[text[i]]&class != 0 {
				i++
			}
			// Managed fields have names such as f:spec and k:{"name":"web"}.
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

// fieldName returns the JSON name of a key, whose text begins with its quote
// if it has one. It reports false for a plain key that is a boolean, null or
// an unusual number: two spellings of those may be the same name.
func fieldName(text, key string) (string, bool) {
	if text[0] == '"' || text[0] == '\'' || isWord(key) {
		return key, true
	}
	if kind, _ := wire.Plain(key); kind == wire.String {
		return key, true
	}
	return key, isCanonicalInt(key)
}

// isWord reports whether a plain scalar is certainly a string by its first letter: all
// booleans and nulls begin with one of a few letters.
func isWord(text string) bool {
	c := text[0]
	return c >= 'A' && c <= 'z' && strings.IndexByte("yYnNtTfFoO", c) < 0
}

// isCanonicalInt reports whether a key is a whole number in the only form
// that JSON has for it.
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
