package config

import (
	"fmt"
	"strconv"
	"strings"
)

// maxParsed is the largest size that ParseSize accepts (1 GiB). A document must fit into
// memory.
const maxParsed = 1 << 30

// sizePattern matches the texts that ParseSize accepts, without the limit maxParsed.
const sizePattern = `^[0-9]{1,10}(Ki|Mi|Gi|k|M|G)?$`

var sizeUnits = []struct {
	suffix string
	factor int64
}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}}

// ParseSize parses a number of bytes. Its suffix may be Ki, Mi, Gi, k, M or G, with the
// meaning in a Kubernetes quantity. The error names the accepted forms.
func ParseSize(s string) (int64, error) {
	number, factor := s, int64(1)
	for _, u := range sizeUnits {
		if n, ok := strings.CutSuffix(s, u.suffix); ok {
			number, factor = n, u.factor
			break
		}
	}
	// ParseUint accepts no sign. A number of ten digits does not overflow in the
	// multiplication below.
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil || len(number) > 10 {
		return 0, fmt.Errorf("want a size such as 500k, 32Mi or 1Gi, not %q", shorten(s))
	}
	size := int64(n) * factor
	if size < 1 || size > maxParsed {
		return 0, fmt.Errorf("want a size between 1 and 1Gi, not %s", s)
	}
	return size, nil
}
