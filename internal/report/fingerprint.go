package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// fingerprints makes fingerprints of findings, which arrive file by file. The zero
// value is ready.
type fingerprints struct {
	// file is the file of the last finding, and seen counts its findings by
	// what their fingerprint is made of.
	file string
	seen map[string]int
}

// of identifies a finding across edits that move it: it is made of
// the rule, the object and the field, and the count of earlier findings in the
// file that agree in these, and not of positions or of the message, which may
// quote some. The file's name is not in it, since SARIF consumers add that.
func (s *fingerprints) of(f *rules.Finding) string {
	if f.File != s.file || s.seen == nil {
		s.file, s.seen = f.File, map[string]int{}
	}
	var o rules.ObjectRef
	if f.Object != nil {
		o = *f.Object
	}
	key := fmt.Sprintf("%q %q %q %q %q %q", f.Rule, o.APIVersion, o.Kind, o.Namespace, o.Name, f.Path)
	if strings.HasSuffix(f.File, ".go") {
		key += " " + f.Message // all that tells findings in code apart
	}
	n := s.seen[key]
	s.seen[key] = n + 1
	sum := sha256.Sum256([]byte(key + " " + strconv.Itoa(n)))
	return hex.EncodeToString(sum[:16])
}
