package podwarning

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// ClaimSpec returns the warnings about storage with a fraction of a byte in a
// PersistentVolumeClaimSpec. path is the path of the spec, such as "spec". It
// returns nil for minors before 1.26 and for a nil spec. Source:
// GetWarningsForPersistentVolumeClaimSpec in
// pkg/api/persistentvolumeclaim/util.go (1.26–1.37).
func ClaimSpec(m lifecycle.Minor, spec *wire.Value, path string) []apiserver.Warning {
	w := writer{Server: apiserver.Server{Minor: m}}
	w.claimSpec(spec, path)
	return w.warnings
}

func (w *writer) claimSpec(spec *wire.Value, path string) {
	resources := spec.Get("resources")
	if w.Minor < 26 || resources.IsNull() {
		return
	}
	for _, list := range [...]string{"requests", "limits"} {
		w.fractionOfByte(resources.Get(list).Get("storage"), path+".resources."+list+"[storage]")
	}
}

// fractionOfByte warns if a quantity has a fraction of a byte.
func (w *writer) fractionOfByte(v *wire.Value, path string) {
	if canonical, fractional := fraction(v); fractional {
		w.warnField(apiserver.Advice, path, "fractional byte value "+strconv.Quote(canonical)+" is invalid, must be an integer", v)
	}
}

// maxQuantityLength is the length in bytes of the longest quantity that is parsed.
const maxQuantityLength = 4096

// fraction reports whether the server treats a quantity as fractional. canonical
// is the server's text of the quantity, rounded up to thousandths by
// SetDefaults_ResourceList. As on the server, the result is wrong for values of
// more than 2^63 thousandths.
func fraction(v *wire.Value) (canonical string, fractional bool) {
	if v == nil || v.Kind != wire.String && v.Kind != wire.Number || isPlain(v.Text) {
		return "", false
	}
	text := strings.TrimSpace(v.Text)
	if len(text) > maxQuantityLength {
		return "", false
	}
	q, ok := schema.ParseQuantity(text)
	if !ok {
		return "", false
	}
	q.RoundUp(resource.Milli)
	if q.MilliValue()%1000 == 0 {
		return "", false
	}
	return q.String(), true
}

// isPlain reports whether a quantity is clearly a whole number: a few digits,
// with or without a multiplying suffix. Most quantities then need no slow parser.
func isPlain(s string) bool {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == 0 {
		return false
	}
	switch s[n:] {
	case "":
		return n <= 15
	case "Ki", "Mi", "Gi", "k", "M", "G":
		return n <= 6
	}
	return false
}
