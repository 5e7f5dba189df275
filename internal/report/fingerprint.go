package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// fingerprints computes fingerprints of findings. All findings of a file must be
// consecutive. The zero value is ready to use.
type fingerprints struct {
	// file is the file of the last finding. seen counts this file's findings by their
	// values.
	file string
	seen map[string]int
}

// fingerprint returns a text that stays the same if an edit moves the finding. It depends
// on the rule, the object, the field, and the number of earlier findings in the file with
// these values. The message is not included, because it may have positions. The file name
// is not included, because readers of SARIF add it.
func (s *fingerprints) fingerprint(f *rules.Finding) string {
	if f.File != s.file || s.seen == nil {
		s.file, s.seen = f.File, map[string]int{}
	}
	var o rules.ObjectRef
	if f.Object != nil {
		o = *f.Object
	}
	key := fmt.Sprintf("%q %q %q %q %q %q", f.Rule, o.APIVersion, o.Kind, o.Namespace, o.Name, f.Path)
	if strings.HasSuffix(f.File, ".go") {
		key += " " + f.Message // findings in Go code differ only by their message
	}
	n := s.seen[key]
	s.seen[key] = n + 1
	sum := sha256.Sum256([]byte(key + " " + strconv.Itoa(n)))
	return hex.EncodeToString(sum[:16])
}
