package scenario

import (
	"bytes"
	"fmt"
)

// Log runs scenarios one after the other, each on its own server. It returns
// one log with all events.
func Log(all []Scenario) []byte {
	var out bytes.Buffer
	for i, sc := range all {
		s := NewServer(fmt.Sprintf("scenario-%02d", i))
		s.version += 1000 * i
		sc.Run(s, sc.Target)
		out.Write(s.Log())
	}
	return out.Bytes()
}
