package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// fingerprints computes fingerprints of findings. All findings of a file must come one
// after the other. The zero value is ready to use.
type fingerprints struct {
	// file is the file of the last finding. seen counts the findings of this file by
	// fingerprint input.
	file string
	seen map[string]int
}

// of returns a fingerprint of a finding. The fingerprint stays the same if an edit moves
// the finding. It depends on the rule, the object, the field, and the number of earlier
// findings in the file with the same values. It does not depend on positions, and not on
// the message, which may have positions. It does not depend on the name of the file,
// because readers of SARIF add it.
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
		key += " " + f.Message // findings in code differ only by their message
	}
	n := s.seen[key]
	s.seen[key] = n + 1
	sum := sha256.Sum256([]byte(key + " " + strconv.Itoa(n)))
	return hex.EncodeToString(sum[:16])
}
