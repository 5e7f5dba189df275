package lifecycle

import "strconv"

// Minor is a Kubernetes minor release: 33 is 1.33. Zero is none.
type Minor uint8

// String gives "1.33", and "" for none.
func (m Minor) String() string {
	if m == 0 {
		return ""
	}
	return "1." + strconv.Itoa(int(m))
}
