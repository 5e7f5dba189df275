package auditlog

import "bytes"

// deprecatedNeedle is a part of the annotation k8s.io/deprecated. Each event
// that a server marked as deprecated contains it, however quotes are escaped
// and dots are replaced. The first byte of deprecatedNeedle is rare in logs.
const deprecatedNeedle = "/deprecated"

// OnlyDeprecated can be used as Options.Skip. It keeps only the lines of events
// that the server marked as deprecated, and a few other lines that contain the
// word by chance. So requests to deprecated APIs that the server did not mark
// are not read: see Group.Derived in package tally.
func OnlyDeprecated(lines []byte) []byte {
	out := lines[:0]
	for {
		at := bytes.Index(lines, []byte(deprecatedNeedle))
		if at < 0 {
			return out
		}
		start := bytes.LastIndexByte(lines[:at], '\n') + 1
		end := bytes.IndexByte(lines[at:], '\n')
		if end < 0 {
			return append(out, lines[start:]...)
		}
		end += at + 1
		out = append(out, lines[start:end]...)
		lines = lines[end:]
	}
}
