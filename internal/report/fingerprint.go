package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// fingerprints computes fingerprints of findings, which arrive file by file. The zero value is
// ready.
type fingerprints struct {
	// file is the file of the last finding. seen counts its findings by the input of their
	// fingerprint.
	file string
	seen map[string]int
}

// of returns an identifier of a finding that stays the same across edits that move it. Its input is
// the rule, the object, the field, and the number of earlier findings in the file with the same
// values. Positions and the message, which may quote positions, are not part of it. The file's name
// is not part of it either, because SARIF consumers add it.
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
		key += " " + f.Message // the message is the only distinction of findings in code
	}
	n := s.seen[key]
	s.seen[key] = n + 1
	sum := sha256.Sum256([]byte(key + " " + strconv.Itoa(n)))
	return hex.EncodeToString(sum[:16])
}
