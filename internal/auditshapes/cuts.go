package auditshapes

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// incomplete returns files with missing parts, and files that several programs wrote
// together.
func incomplete() []Shape {
	cut := func(name, source, file string, write func(Log) string) Shape {
		return partialFile(name, source, Cut, file, write)
	}
	most := func(s string) string { return s[:len(s)*9/10] }
	limited := func(n int, line func(string, Event) string) func(Log) string {
		return each(func(_ int, e Event) string { return line(e.Line[:min(n, len(e.Line))], e) })
	}
	third := func(l Log) [3]string {
		n := len(l) / 3
		return [3]string{lines(l[:n]), lines(l[n : 2*n]), lines(l[2*n:])}
	}
	program := func(name, file string, command ...string) Shape {
		return Shape{Name: name, Source: "the program's manual", Write: func(l Log) (Files, error) {
			var all []byte
			for _, part := range third(l) {
				out, err := filter(part, command...)
				if err != nil {
					return nil, err
				}
				all = append(all, out...)
			}
			return Files{file: all}, nil
		}}
	}
	return []Shape{
		cut("cut-plain", "curl", "audit.log", func(l Log) string { return most(lines(l)) }),
		cut("cut-gzip", "curl", "audit.log.gz", func(l Log) string { return most(string(gzipped(lines(l)))) }),
		cut("cut-zip", "curl", "audit.zip", func(l Log) string { return most(string(zipped(third(l), zip.Deflate))) }),
		cut("cut-tar", "curl", "audit.tar", func(l Log) string { return most(string(tarred(tar.FormatPAX, third(l)))) }),
		cut("cut-array", "curl", "audit.json", func(l Log) string { return most(list(l)) }),
		cut("cut-pretty-array", "curl", "audit.json", func(l Log) string { return most(indented(list(l), "  ")) }),
		cut("cut-list", "curl", "audit.json", func(l Log) string { return most(eventList(l)) }),
		cut("cut-csv", "curl", "audit.csv", func(l Log) string {
			return most(allQuoted([]string{"time", "message"}, l, func(_ int, e Event) []string { return []string{e.Time.Format(time.RFC3339), e.Line} }))
		}),
		cut("cut-front", "tail -c", "audit.log", func(l Log) string { s := lines(l); return s[len(s)/10+7:] }),
		{Name: "cut-split", Source: "split -b", Keeps: Cut, Write: func(l Log) (Files, error) {
			s := lines(l)
			return Files{"xaa": []byte(s[:len(s)/2+33]), "xab": []byte(s[len(s)/2+33:])}, nil
		}},
		cut("cut-syslog-8k", "https://www.rsyslog.com/doc/rainerscript/global.html", "syslog.log", limited(900, func(s string, e Event) string {
			return "<134>1 " + e.Time.Format(time.RFC3339Nano) + " cp-0 kube-apiserver 1234 audit - " + s
		})),
		cut("cut-splunk-10k", "https://docs.splunk.com/Documentation/Splunk/latest/Admin/propsconf", "export.json", limited(1000, func(s string, _ Event) string {
			return text(object{"preview": false, "result": object{"_raw": s}})
		})),
		cut("cut-excel-cells", "https://support.microsoft.com/office/excel-specifications-and-limits", "excel.csv", func(l Log) string {
			return allQuoted([]string{"time", "message"}, l, func(_ int, e Event) []string {
				return []string{e.Time.Format(time.RFC3339), e.Line[:min(len(e.Line), 1000)]}
			})
		}),
		singleFile("google-splits", "https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#LogSplit", "payload.jsonl", each(func(i int, e Event) string {
			var b strings.Builder
			for part, rest := 0, e.Line; rest != ""; part++ {
				n := min(len(rest), 4<<10)
				if part > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(text(object{"insertId": fmt.Sprint(i, "-", part), "textPayload": rest[:n], "split": object{"uid": fmt.Sprint(i), "index": part, "totalSplits": (len(e.Line) + 4<<10 - 1) / (4 << 10)}, "timestamp": e.Time.Format(time.RFC3339Nano)}))
				rest = rest[n:]
			}
			return b.String()
		})),
		partialFile("cut-eks", "https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html", Some, "audit.log", limited(1000, func(s string, e Event) string {
			if len(s) < len(e.Line) {
				return s + "[Truncated...]"
			}
			return s
		})),
		singleFile("bom-between", "type a.log b.log > c.log", "c.log", func(l Log) string {
			n := len(l) / 2
			return "\ufeff" + lines(l[:n]) + "\ufeff" + lines(l[n:])
		}),
		singleFile("gzip-zero-padding", "RFC 1952", "audit.log.gz", func(l Log) string { return string(gzipped(lines(l))) + strings.Repeat("\x00", 4096) }),
		singleFile("zip-backslashes", "https://learn.microsoft.com/dotnet/framework/migration-guide/mitigation-ziparchiveentry-fullname-path-separator", "logs.zip", func(l Log) string {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for i, part := range third(l) {
				f, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf(`logs\audit-%d.log`, i), Method: zip.Deflate})
				check(err)
				mustWrite(f.Write([]byte(part)))
			}
			close1(w)
			return b.String()
		}),
		singleFile("zip-macos", "https://support.apple.com/guide/mac-help/zip-and-unzip-files-mchlp2528/mac", "Archive.zip", func(l Log) string {
			double := "\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        \x00\x02\x00\x00\x00\x09\x00\x00\x00\x32" + strings.Repeat("\x00[{\x01\"", 30)
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for i, part := range third(l) {
				for _, m := range [][2]string{{fmt.Sprintf("logs/audit-%d.log", i), part}, {fmt.Sprintf("__MACOSX/logs/._audit-%d.log", i), double}} {
					f, err := w.Create(m[0])
					check(err)
					mustWrite(f.Write([]byte(m[1])))
				}
			}
			close1(w)
			return b.String()
		}),
		singleFile("zip-of-gz", "https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT", "logs.zip", func(l Log) string {
			parts := third(l)
			for i := range parts {
				parts[i] = string(gzipped(parts[i]))
			}
			return string(zipped(parts, zip.Store))
		}),
		program("zstd-frames", "audit.log.zst", "zstd", "-qc"),
		program("xz-streams", "audit.log.xz", "xz", "-c"),
		program("bzip2-streams", "audit.log.bz2", "bzip2", "-c"),
		program("lz4-frames", "audit.log.lz4", "lz4", "-qc"),
		singleFile("avro-capture", "https://learn.microsoft.com/azure/event-hubs/event-hubs-capture-overview", "00.avro", avro),
		singleFile("otlp-proto", ofOTLP, "otlp.binpb", func(l Log) string {
			var b bytes.Buffer
			batches(l, 50, func(_ int, part Log) {
				var records []byte
				for _, e := range part {
					records = append(records, field(2, append(field(5, field(1, []byte(e.Line))), 0x09, 1, 2, 3, 4, 5, 6, 7, 8))...)
				}
				message := field(1, field(2, records))
				b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(message))))
				b.Write(message)
			})
			return b.String()
		}),
		singleFile("msgpack-chunk", "https://github.com/msgpack/msgpack/blob/master/spec.md", "buffer.chunk", func(l Log) string {
			var b bytes.Buffer
			for _, e := range l {
				b.WriteString("\x92\xd7\x00\x68\x20\x00\x00\x00\x00\x00\x00\x81\xa3log\xdb")
				b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(e.Line))))
				b.WriteString(e.Line)
			}
			return b.String()
		}),
		singleFile("xlsx", "ECMA-376", "audit.xlsx", func(l Log) string {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			cells := each(func(_ int, e Event) string {
				return `<si><t xml:space="preserve">` + strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(e.Line) + "</t></si>"
			})(l)
			for _, m := range [][2]string{
				{"[Content_Types].xml", `<?xml version="1.0"?><Types/>`},
				{"xl/workbook.xml", `<?xml version="1.0"?><workbook/>`},
				{"xl/sharedStrings.xml", `<?xml version="1.0"?><sst>` + cells + "</sst>"},
				{"xl/worksheets/sheet1.xml", `<?xml version="1.0"?><worksheet/>`},
			} {
				f, err := w.Create(m[0])
				check(err)
				mustWrite(f.Write([]byte(m[1])))
			}
			close1(w)
			return b.String()
		}),
	}
}

// field returns a length-delimited field of a protocol buffer.
func field(n int, data []byte) []byte {
	return append(binary.AppendUvarint([]byte{byte(n<<3 | 2)}, uint64(len(data))), data...)
}

// avro returns an Avro object container file with a schema like that of Event Hubs
// Capture.
func avro(l Log) string {
	long := func(n int) []byte { return binary.AppendVarint(nil, int64(n)) }
	str := func(s string) []byte { return append(long(len(s)), s...) }
	schema := `{"type":"record","name":"EventData","namespace":"Microsoft.ServiceBus.Messaging","fields":[{"name":"SequenceNumber","type":"long"},{"name":"Offset","type":"string"},{"name":"EnqueuedTimeUtc","type":"string"},{"name":"Body","type":["null","bytes"]}]}`
	sync := "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
	var b bytes.Buffer
	b.WriteString("Obj\x01")
	b.Write(long(2))
	for _, s := range []string{"avro.codec", "null", "avro.schema", schema} {
		b.Write(str(s))
	}
	b.WriteString("\x00" + sync)
	batches(l, 50, func(first int, part Log) {
		var rows []byte
		for i, e := range part {
			rows = append(rows, long(first+i)...)
			rows = append(rows, str(fmt.Sprint(first+i))...)
			rows = append(rows, str(e.Time.Format("1/2/2006 3:04:05 PM"))...)
			rows = append(append(rows, 2), str(text(object{"records": []any{record(e, e.Line)}}))...)
		}
		b.Write(append(long(len(part)), long(len(rows))...))
		b.Write(rows)
		b.WriteString(sync)
	})
	return b.String()
}
