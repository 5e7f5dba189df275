package auditserve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/auditlive"
)

// maxJournal is the maximal size of all journals together in bytes, 512 MiB. After that,
// batches are refused. Normally a state is saved long before, and its journals are
// removed. So the disk is probably full.
const maxJournal = 512 << 20

// A journal is a file with the batches that were accepted after the last saved state. It
// is a list of records. A record is the length of a batch in four bytes, its CRC in four
// bytes, and the batch.
type journal struct {
	// base is the path of the state file. Names of journals begin with it.
	base string
	// number is the number of this journal. Each new journal has a higher number.
	number uint64
	file   *os.File
	size   int64
	// before is the total size of all older journals in bytes.
	before int64
}

func (j *journal) name(number uint64) string { return fmt.Sprintf("%s.journal-%d", j.base, number) }

// directory returns the directory of the journals.
func (j *journal) directory() string { return filepath.Dir(j.base) }

// open creates a new journal with a number.
func (j *journal) open(number uint64) error {
	f, err := os.OpenFile(j.name(number), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := auditlive.SyncDirectory(j.directory()); err != nil {
		f.Close()
		return err
	}
	if j.file != nil {
		j.file.Close()
	}
	j.file, j.number, j.size, j.before = f, number, 0, j.before+j.size
	return nil
}

// errJournalFull is the error of append if the journals have reached maxJournal.
var errJournalFull = errors.New("the journals are full because the state could not be saved")

// append writes a batch to the journal. When it returns nil, the batch is on the disk.
// After an error, the journal is unchanged.
func (j *journal) append(batch []byte) error {
	if j.before+j.size+int64(len(batch)) > maxJournal {
		return errJournalFull
	}
	record := binary.LittleEndian.AppendUint32(make([]byte, 0, 8+len(batch)), uint32(len(batch)))
	record = binary.LittleEndian.AppendUint32(record, crc32.ChecksumIEEE(batch))
	record = append(record, batch...)
	_, err := j.file.WriteAt(record, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		// Without this, an incomplete record would hide later records from replay.
		return errors.Join(err, j.file.Truncate(j.size))
	}
	j.size += int64(len(record))
	return nil
}

// touch sets the modification time of the journal.
func (j *journal) touch(now time.Time) error { return os.Chtimes(j.name(j.number), now, now) }

// close closes the journal.
func (j *journal) close() {
	if j.file != nil {
		j.file.Close()
	}
}

// numbers returns the numbers of all journals on the disk, in ascending order.
func (j *journal) numbers() ([]uint64, error) {
	entries, err := os.ReadDir(j.directory())
	if err != nil {
		return nil, err
	}
	var out []uint64
	prefix := filepath.Base(j.base) + ".journal-"
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), prefix); ok && e.Type().IsRegular() {
			if n, err := strconv.ParseUint(rest, 10, 63); err == nil {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// removeBefore removes the journals with a number lower than number. It returns their
// total size in bytes.
func (j *journal) removeBefore(number uint64) (removed int64, err error) {
	all, err := j.numbers()
	for _, n := range all {
		if n >= number {
			break
		}
		info, statErr := os.Stat(j.name(n))
		if statErr == nil {
			removed += info.Size()
		}
		err = errors.Join(err, statErr, os.Remove(j.name(n)))
	}
	return removed, err
}

// replay calls batch for each batch in a journal. It returns the time of the journal's
// last change and the number of bytes that could not be read. An incomplete last record
// is no error: the API server got no answer for this batch, and sends it again.
func (j *journal) replay(number uint64, maxBatch int64, batch func([]byte) error) (changed time.Time, damaged int64, err error) {
	f, err := os.Open(j.name(number))
	if err != nil {
		return time.Time{}, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return time.Time{}, 0, err
	}
	var head [8]byte
	for at := int64(0); ; {
		left := info.Size() - at
		if left == 0 {
			return info.ModTime(), 0, nil
		}
		if _, err := io.ReadFull(f, head[:]); err != nil {
			return info.ModTime(), 0, endOfJournal(err)
		}
		size := int64(binary.LittleEndian.Uint32(head[:4]))
		if size == 0 || size > maxBatch {
			return info.ModTime(), left, nil
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(f, text); err != nil {
			return info.ModTime(), 0, endOfJournal(err)
		}
		if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(head[4:]) {
			return info.ModTime(), left, nil
		}
		if err := batch(text); err != nil {
			return info.ModTime(), 0, err
		}
		at += 8 + size
	}
}

// endOfJournal returns nil for the error of an incomplete last record, and err otherwise.
func endOfJournal(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}
