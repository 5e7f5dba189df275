package auditlog

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxNested is the largest number of archives inside each other.
const maxNested = 2

// maxZip is the largest size in bytes of a zip file from standard input or in
// another archive. Such a file is read into memory, because the directory of a
// zip file is at its end.
const maxZip = 256 << 20

// unpacker reads all texts of an input. It decompresses the input, and reads
// the regular files in archives. It writes nothing to disk.
type unpacker struct {
	limit expansion
	// text is called for each text. member is the path of the text in the
	// archives; "" for the input itself. If text returns an error, the unpacker
	// stops.
	text func(member string, r io.Reader) error
	// fail is called for a member that could not be read completely.
	fail func(member string, err error)
	// members is the number of files in archives. opened is set if an archive was opened.
	members int
	opened  bool
}

// errStop ends the reading of all members.
var errStop = errors.New("stop")

// input reads all texts of an input.
func (u *unpacker) input(raw io.Reader) error {
	r := inputMeter{raw, &u.limit}
	if file, ok := raw.(regularFile); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			var head [4]byte
			if n, _ := file.ReadAt(head[:], 0); isZip(head[:n]) {
				return u.zip(readerAt{file, &u.limit}, info.Size(), "", 1)
			}
		}
	}
	return u.stream(r, "", 0)
}

// regularFile is a file that can be read at any offset.
type regularFile interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// inputMeter is a reader that counts its bytes as input of an expansion.
type inputMeter struct {
	io.Reader
	x *expansion
}

// Read reads and counts the next bytes.
func (m inputMeter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.x.in += int64(n)
	return n, err
}

// readerAt is an io.ReaderAt that counts its bytes as input of an expansion.
type readerAt struct {
	io.ReaderAt
	x *expansion
}

// ReadAt reads and counts the bytes at an offset.
func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, off)
	r.x.in += int64(n)
	return n, err
}

// stream reads the input or a member. nested is the number of archives around it.
func (u *unpacker) stream(r io.Reader, member string, nested int) error {
	z, err := decompress(r, &u.limit)
	if err != nil {
		return err
	}
	defer z.Close()
	head, err := z.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return err
	}
	switch {
	case !isZip(head) && !isTar(head):
		return u.text(member, decodeUTF16(z, head))
	case nested == maxNested:
		return fmt.Errorf("is an archive in an archive in an archive: unpack it first")
	case isTar(head):
		return u.tar(z, member, nested+1)
	}
	// archive/zip needs the whole file.
	data, err := io.ReadAll(io.LimitReader(z, maxZip+1))
	switch {
	case err != nil:
		return fmt.Errorf("zip: %w", err)
	case len(data) > maxZip:
		return fmt.Errorf("is a zip file of more than %d MiB that is compressed, nested or not a file: unpack it first", maxZip>>20)
	}
	return u.zip(bytes.NewReader(data), int64(len(data)), member, nested+1)
}

// isZip reports whether a file begins with the header of a member, or is an empty zip
// file.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// isTar reports whether a file begins with the header of a tar member. It
// compares the header's checksum (POSIX.1-2017, pax, ustar Interchange Format).
func isTar(head []byte) bool {
	const at, size, block = 148, 8, 512
	if len(head) < block || head[0] == 0 {
		return false
	}
	sum, want := int64(0), int64(0)
	for i, c := range head[:block] {
		if i >= at && i < at+size {
			c = ' '
		}
		sum += int64(c)
	}
	digits := strings.Trim(string(head[at:at+size]), " \x00")
	if digits == "" {
		return false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '7' {
			return false
		}
		want = want<<3 | int64(c-'0')
	}
	return sum == want
}

// tar reads the regular files of a tar archive.
func (u *unpacker) tar(r io.Reader, member string, nested int) error {
	u.opened = true
	archive := tar.NewReader(r)
	for {
		head, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return fmt.Errorf("tar: %w", err)
		}
		if !head.FileInfo().Mode().IsRegular() || head.Typeflag == tar.TypeLink {
			continue
		}
		if err := u.member(u.limit.watch(archive), member, head.Name, nested); err != nil {
			return err
		}
	}
}

// zip reads the regular files of a zip archive.
func (u *unpacker) zip(r io.ReaderAt, size int64, member string, nested int) error {
	u.opened = true
	archive, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if errors.Is(err, zip.ErrFormat) {
			return fmt.Errorf("zip: the directory at its end is missing, it is damaged or cut off: %w", io.ErrUnexpectedEOF)
		}
		return fmt.Errorf("zip: %w", err)
	}
	const bzip2Method, encrypted = 12, 1
	archive.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxMemory(maxDictionary), zstd.WithDecoderLowmem(true)))
	archive.RegisterDecompressor(bzip2Method, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	for _, file := range archive.File {
		if !file.Mode().IsRegular() {
			continue
		}
		if file.Flags&encrypted != 0 {
			u.members++
			u.fail(path.Join(member, clean(file.Name)), errors.New("is encrypted"))
			continue
		}
		text, err := file.Open()
		if err != nil {
			u.members++
			u.fail(path.Join(member, clean(file.Name)), fmt.Errorf("zip: %w", err))
			continue
		}
		err = u.member(u.limit.watch(text), member, file.Name, nested)
		text.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// member reads a file of an archive. Errors in it do not stop the reading of other members.
func (u *unpacker) member(r io.Reader, member, name string, nested int) error {
	u.members++
	full := path.Join(member, clean(name))
	err := u.stream(r, full, nested)
	if errors.Is(err, errStop) || errors.Is(err, errExpands) {
		return err
	}
	if err != nil {
		u.fail(full, err)
	}
	return nil
}

// clean returns the path of a member without elements "..".
func clean(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}
