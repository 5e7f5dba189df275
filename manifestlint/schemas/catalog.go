package schemas

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Catalog finds schemas by the kinds that they describe. The zero value and a
// nil *Catalog are empty. It is not safe for concurrent use.
type Catalog struct {
	// MaxDocument is the largest size of a file, in bytes; 0 means
	// manifestlint.DefaultMaxDocument.
	MaxDocument int

	// schemas has the schemas of the files that were read, by kind in lower case.
	schemas map[string][]*schema
	// files has the files that were not read yet, by kind in lower case.
	files map[string][]file
	// definitions has the results of Definition, by group and kind.
	definitions map[[2]string]*objectcontext.Object
	size        int  // size of all schemas and definitions, in bytes of JSON
	full        bool // no further definition is made
	problems    []Problem
}

// maxKept is the largest size of a catalog, in bytes of JSON. It is twice the
// limit for objects, because a definition contains a second copy of its
// schemas.
const maxKept = 2 * objectcontext.MaxCollected

// file is a file with the schema of one kind. The name of the file contains the
// kind.
type file struct {
	Identity
	input manifestlint.Input
}

// Problem is a file that could not be used.
type Problem struct {
	// Name is the input's name. Err's message also begins with it.
	Name string
	Err  error
}

// Problems returns the files that Definition could not use, sorted by name.
func (c *Catalog) Problems() []Problem {
	if c == nil {
		return nil
	}
	sorted := slices.Clone(c.problems)
	slices.SortFunc(sorted, func(a, b Problem) int { return strings.Compare(a.Name, b.Name) })
	return sorted
}

// AddFile adds a file with one schema, which is read when Definition needs it.
// id is the kind according to the file's name. AddFile returns false, and adds
// nothing, if the file begins like a custom resource definition or cannot be
// read.
func (c *Catalog) AddFile(in manifestlint.Input, id Identity) bool {
	if mayBeDefinition(in) {
		return false
	}
	if c.files == nil {
		c.files = map[string][]file{}
	}
	c.files[id.Kind] = append(c.files[id.Kind], file{id, in})
	return true
}

// mayBeDefinition reports whether a file contains CustomResourceDefinition near
// its beginning, where objects in JSON have their kind. It also returns true if
// the file cannot be read.
func mayBeDefinition(in manifestlint.Input) bool {
	f, err := in.Open()
	if err != nil {
		return true
	}
	defer f.Close()
	head := make([]byte, 2048)
	n, _ := io.ReadFull(f, head) // an error means that the file is shorter than head
	return bytes.Contains(head[:n], []byte(`"CustomResourceDefinition"`))
}

// Read reads a file and reports whether it has schemas. id is the kind
// according to the file's name, or the zero value. named is set if the file is
// an argument. An error means that the file or its schemas cannot be used. It
// is a *NoKindError if the kind of a schema is unknown.
func (c *Catalog) Read(in manifestlint.Input, id Identity, named bool) (bool, error) {
	data, err := c.text(in)
	if err != nil {
		return false, err
	}
	doc, err := parse(in.Name, data, named)
	if doc == nil || err != nil {
		return false, err
	}
	if !isIndex(doc) && !isOpenAPI(doc) && !isJSONSchema(doc) {
		return false, nil
	}
	all, err := schemasIn(doc, id, in.Name)
	if err != nil {
		return false, err
	}
	for _, s := range all {
		if !c.reserve(len(s.body)) {
			return false, errTooLarge(in.Name)
		}
		if c.schemas == nil {
			c.schemas = map[string][]*schema{}
		}
		c.schemas[s.Kind] = append(c.schemas[s.Kind], s)
	}
	return true, nil
}

// reserve adds to the size of the catalog. It returns false, and adds nothing,
// if the catalog would become too large.
func (c *Catalog) reserve(size int) bool {
	if c.size+size > maxKept {
		return false
	}
	c.size += size
	return true
}

func errTooLarge(name string) error {
	return fmt.Errorf("%s: the schemas together exceed %d MiB", name, maxKept>>20)
}

func (c *Catalog) text(in manifestlint.Input) ([]byte, error) {
	f, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit := cmp.Or(c.MaxDocument, manifestlint.DefaultMaxDocument)
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", in.Name, err)
	}
	if len(data) > limit {
		return nil, fmt.Errorf("%s: it has more than %d bytes, the limit of --max-document-size", in.Name, limit)
	}
	return data, nil
}

// Definition returns a custom resource definition that is made from the schemas
// of a kind. It returns nil if there are no schemas, if the group belongs to
// Kubernetes, or if the catalog is full. If several schemas
// describe one version, it uses the first one with the most certain group (see
// Identity.matches).
func (c *Catalog) Definition(group, kind string) *objectcontext.Object {
	if c == nil || c.full || kind == "" || lifecycle.IsGroup(group) {
		return nil
	}
	key := [2]string{group, kind}
	d, known := c.definitions[key]
	if !known {
		if c.definitions == nil {
			c.definitions = map[[2]string]*objectcontext.Object{}
		}
		d = c.makeDefinition(group, kind)
		c.definitions[[2]string{strings.Clone(group), strings.Clone(kind)}] = d
	}
	return d
}

func (c *Catalog) makeDefinition(group, kind string) *objectcontext.Object {
	name := strings.ToLower(kind)
	c.readFiles(name, group)
	candidates := slices.Clone(c.schemas[name])
	slices.SortStableFunc(candidates, func(a, b *schema) int { return cmp.Compare(b.matches(group), a.matches(group)) })
	var versions []*schema
	known := map[string]bool{}
	for _, s := range candidates {
		if s.matches(group) > 0 && !known[s.Version] && (s.kindName == "" || s.kindName == kind) {
			known[s.Version] = true
			versions = append(versions, s)
		}
	}
	if len(versions) == 0 {
		return nil
	}
	d := definition(group, kind, versions)
	if !c.reserve(d.Size()) {
		c.full = true
		c.problems = append(c.problems, Problem{versions[0].input, errTooLarge(versions[0].input)})
		return nil
	}
	return d
}

// readFiles reads those files of a kind that can have schemas for a group. kind
// is in lower case. Each file is read once, because several groups can use it.
func (c *Catalog) readFiles(kind, group string) {
	var rest []file
	for _, f := range c.files[kind] {
		if f.matches(group) == 0 {
			rest = append(rest, f)
			continue
		}
		var noKind *NoKindError
		if _, err := c.Read(f.input, f.Identity, true); err != nil && !errors.As(err, &noKind) {
			c.problems = append(c.problems, Problem{f.input.Name, err})
		}
	}
	if len(rest) < len(c.files[kind]) {
		c.files[kind] = rest
	}
}
