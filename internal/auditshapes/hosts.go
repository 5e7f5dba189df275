package auditshapes

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

const ofJournal = "https://systemd.io/JOURNAL_EXPORT_FORMATS/"

// hosts returns the formats of syslog and of the systemd journal.
func hosts() []Shape {
	return []Shape{
		singleFile("journal-short", "https://www.freedesktop.org/software/systemd/man/latest/journalctl.html", "short.log", each(func(_ int, e Event) string {
			return e.Time.Format("Jan 02 15:04:05") + " cp-0 kube-apiserver[1234]: " + e.Line
		})),
		singleFile("journal-short-iso", "https://www.freedesktop.org/software/systemd/man/latest/journalctl.html", "iso.log", each(func(_ int, e Event) string {
			return e.Time.Format("2006-01-02T15:04:05-07:00") + " cp-0 kube-apiserver[1234]: " + e.Line
		})),
		singleFile("journal-cat", "https://www.freedesktop.org/software/systemd/man/latest/journalctl.html", "cat.log", lines),
		singleFile("journal-json", ofJournal, "journal.json", each(func(i int, e Event) string {
			return text(object{"__CURSOR": fmt.Sprint("s=", i), "__REALTIME_TIMESTAMP": fmt.Sprint(e.Time.UnixMicro()), "_PID": "1234", "MESSAGE": e.Line, "PRIORITY": "6", "SYSLOG_IDENTIFIER": "kube-apiserver"})
		})),
		singleFile("journal-json-bytes", ofJournal, "bytes.json", each(func(i int, e Event) string {
			numbers := make([]int, len(e.Line))
			for i := range len(e.Line) {
				numbers[i] = int(e.Line[i])
			}
			return text(object{"__CURSOR": fmt.Sprint("s=", i), "MESSAGE": numbers, "SYSLOG_IDENTIFIER": "kube-apiserver"})
		})),
		singleFile("journal-json-pretty", ofJournal, "pretty.json", each(func(i int, e Event) string {
			return indented(text(object{"__CURSOR": fmt.Sprint("s=", i), "MESSAGE": e.Line, "PRIORITY": "6"}), "\t")
		})),
		singleFile("journal-export", ofJournal, "journal.export", each(func(i int, e Event) string {
			return fmt.Sprintf("__CURSOR=s=%d\n__REALTIME_TIMESTAMP=%d\nMESSAGE=%s\nPRIORITY=6\n", i, e.Time.UnixMicro(), e.Line)
		})),
		singleFile("journal-export-binary", ofJournal, "binary.export", each(func(i int, e Event) string {
			size := binary.LittleEndian.AppendUint64(nil, uint64(len(e.Line)))
			return fmt.Sprintf("__CURSOR=s=%d\nMESSAGE\n%s%s\nPRIORITY=6\n", i, size, e.Line)
		})),
		singleFile("syslog-5424", "RFC 5424", "syslog.log", each(func(_ int, e Event) string {
			return "<134>1 " + e.Time.Format(time.RFC3339Nano) + ` cp-0 kube-apiserver 1234 audit [meta sequenceId="1"] ` + e.Line
		})),
		singleFile("syslog-3164", "RFC 3164", "syslog.log", each(func(_ int, e Event) string {
			return "<134>" + e.Time.Format("Jan _2 15:04:05") + " cp-0 kube-apiserver[1234]: " + e.Line
		})),
		singleFile("syslog-octet-counted", "RFC 6587", "frames.log", func(l Log) string {
			var b strings.Builder
			for _, e := range l {
				m := "<134>1 " + e.Time.Format(time.RFC3339Nano) + " cp-0 kube-apiserver 1234 audit - " + e.Line
				fmt.Fprintf(&b, "%d %s", len(m), m)
			}
			return b.String()
		}),
		singleFile("rsyslog-json", "https://www.rsyslog.com/doc/configuration/properties.html", "rsyslog.json", each(func(_ int, e Event) string {
			return text(object{"msg": " " + e.Line, "hostname": "cp-0", "programname": "kube-apiserver", "timereported": e.Time.Format(time.RFC3339Nano), "syslogseverity": "6"})
		})),
		singleFile("rsyslog-cee", "https://www.rsyslog.com/doc/configuration/modules/mmjsonparse.html", "cee.log", each(func(_ int, e Event) string {
			return e.Time.Format("Jan _2 15:04:05") + " cp-0 kube-apiserver: @cee: " + e.Line
		})),
		singleFile("grep-with-names", "https://www.gnu.org/software/grep/manual/", "grep.txt", each(func(i int, e Event) string { return fmt.Sprintf("audit-%d.log:%d:%s", i%3, i+1, e.Line) })),
	}
}
