package auditshapes

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// ErrNoProgram is the error of a shape that needs a program that is not installed.
var ErrNoProgram = errors.New("program not found")

func archives() []Shape {
	third := func(l Log) [3]string {
		n := len(l) / 3
		return [3]string{lines(l[:n]), lines(l[n : 2*n]), lines(l[2*n:])}
	}
	all := []Shape{
		singleFile("gzip", "RFC 1952", "audit.log.gz", func(l Log) string { return string(gzipped(lines(l))) }),
		singleFile("gzip-members", "RFC 1952", "audit.log.gz", func(l Log) string {
			var b strings.Builder
			batches(l, 500, func(_ int, part Log) { b.Write(gzipped(lines(part))) })
			return b.String()
		}),
		singleFile("gzip-twice", "RFC 1952", "audit.log.gz.gz", func(l Log) string { return string(gzipped(string(gzipped(lines(l))))) }),
		singleFile("gzip-misnamed", "RFC 1952", "audit.log", func(l Log) string { return string(gzipped(lines(l))) }),
		singleFile("zlib", "RFC 1950", "audit.log.zz", func(l Log) string {
			var b bytes.Buffer
			w := zlib.NewWriter(&b)
			mustWrite(w.Write([]byte(lines(l))))
			close1(w)
			return b.String()
		}),
		singleFile("deflate", "RFC 1951", "audit.log.deflate", func(l Log) string {
			var b bytes.Buffer
			w, err := flate.NewWriter(&b, flate.DefaultCompression)
			if err != nil {
				panic(err)
			}
			mustWrite(w.Write([]byte(lines(l))))
			close1(w)
			return b.String()
		}),
		singleFile("tar", "POSIX.1-2001", "audit.tar", func(l Log) string { return string(tarred(tar.FormatPAX, third(l))) }),
		singleFile("tar-gnu", "https://www.gnu.org/software/tar/manual/", "audit.tar", func(l Log) string { return string(tarred(tar.FormatGNU, third(l))) }),
		singleFile("tar-ustar", "POSIX.1-1988", "audit.tar", func(l Log) string { return string(tarred(tar.FormatUSTAR, third(l))) }),
		singleFile("tar-gzip", "https://docs.openshift.com/container-platform/4.17/support/gathering-cluster-data.html", "must-gather.tar.gz", func(l Log) string { return string(gzipped(string(tarred(tar.FormatPAX, third(l))))) }),
		singleFile("tgz-of-gz", "https://docs.openshift.com/container-platform/4.17/support/gathering-cluster-data.html", "audit.tgz", func(l Log) string {
			parts := third(l)
			for i := range parts {
				parts[i] = string(gzipped(parts[i]))
			}
			return string(gzipped(string(tarred(tar.FormatPAX, parts))))
		}),
		singleFile("zip", "https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT", "audit.zip", func(l Log) string { return string(zipped(third(l), zip.Deflate)) }),
		singleFile("zip-stored", "https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT", "audit.zip", func(l Log) string { return string(zipped(third(l), zip.Store)) }),
	}
	for _, p := range [][]string{
		{"zstd", "zst", "https://facebook.github.io/zstd/", "zstd", "-qc"},
		{"zstd-long", "zst", "https://facebook.github.io/zstd/", "zstd", "-qc", "--long=30"},
		{"xz", "xz", "https://tukaani.org/xz/", "xz", "-c"},
		{"lzma", "lzma", "https://tukaani.org/xz/", "xz", "-c", "--format=lzma"},
		{"bzip2", "bz2", "https://sourceware.org/bzip2/", "bzip2", "-c"},
		{"lz4", "lz4", "https://lz4.org", "lz4", "-qc"},
		{"lz4-legacy", "lz4", "https://lz4.org", "lz4", "-qcl"},
		{"brotli", "br", "RFC 7932", "brotli", "-c"},
	} {
		all = append(all, Shape{Name: p[0], Source: p[2], Write: func(l Log) (Files, error) {
			out, err := filter(lines(l), p[3:]...)
			return Files{"audit.log." + p[1]: out}, err
		}})
	}
	for _, p := range [][]string{
		{"tar-xz", "xz", "xz", "-c"}, {"tar-bzip2", "bz2", "bzip2", "-c"}, {"tar-zstd", "zst", "zstd", "-qc"},
	} {
		all = append(all, Shape{Name: p[0], Source: "https://www.gnu.org/software/tar/manual/", Write: func(l Log) (Files, error) {
			out, err := filter(string(tarred(tar.FormatGNU, third(l))), p[2:]...)
			return Files{"audit.tar." + p[1]: out}, err
		}})
	}
	return all
}

// filter returns the output of a program with data as its standard input.
func filter(data string, command ...string) ([]byte, error) {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command[0], ErrNoProgram)
	}
	c := exec.Command(path, command[1:]...)
	c.Stdin = strings.NewReader(data)
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command[0], err)
	}
	return out, nil
}

func gzipped(data string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	mustWrite(w.Write([]byte(data)))
	close1(w)
	return b.Bytes()
}

// tarred returns a tar archive with the parts in a directory with a long name.
func tarred(format tar.Format, parts [3]string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	dir := "must-gather.local.5421342344627712289/audit_logs/kube-apiserver/"
	check(w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir, Mode: 0o755, ModTime: at, Format: format}))
	for i, part := range parts {
		name := fmt.Sprintf("%smaster-%d-audit.log", dir, i)
		check(w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(part)), Mode: 0o644, ModTime: at, Format: format, Uname: "root", Gname: "root"}))
		mustWrite(w.Write([]byte(part)))
	}
	close1(w)
	return b.Bytes()
}

func zipped(parts [3]string, method uint16) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	_, err := w.Create("logs/")
	check(err)
	for i, part := range parts {
		f, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("logs/audit-%d.log", i), Method: method})
		check(err)
		mustWrite(f.Write([]byte(part)))
	}
	close1(w)
	return b.Bytes()
}

// mustWrite panics on an error. Writing to memory never returns one.
func mustWrite(_ int, err error) { check(err) }

func close1(c interface{ Close() error }) { check(c.Close()) }

func check(err error) {
	if err != nil {
		panic(err)
	}
}
