package schemas

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Catalog finds schemas by the kinds that they describe. A nil *Catalog is empty.
// It is not safe for concurrent use.
type Catalog struct {
	// MaxDocument bounds one file, in bytes; 0 means manifestlint.DefaultMaxDocument.
	MaxDocument int

	// read has the schemas by kind, in lower case.
	read map[string][]*schema
	// files have one schema each and are read when an object of the kind appears.
	files map[string][]file
	// made has what Definition returned, by group and kind.
	made     map[[2]string]*objectcontext.Object
	size     int // of the schemas that are kept, in bytes of JSON
	problems []Problem
}

// file is a file whose name says which kind it describes.
type file struct {
	Identity
	input manifestlint.Input
}

// Problem is a file that could not be used.
type Problem struct {
	Name string
	Err  error
}

// Problems returns the files that could not be used since Definition asked for
// them, in the order of their names.
func (c *Catalog) Problems() []Problem {
	if c == nil {
		return nil
	}
	sorted := slices.Clone(c.problems)
	slices.SortFunc(sorted, func(a, b Problem) int { return strings.Compare(a.Name, b.Name) })
	return sorted
}

// AddFile adds a file that holds a schema by its name, which is read when an object
// needs it. It returns false for a file that begins like a custom resource
// definition, or that cannot be read.
func (c *Catalog) AddFile(in manifestlint.Input, id Identity) bool {
	if isDefinition(in) {
		return false
	}
	if c.files == nil {
		c.files = map[string][]file{}
	}
	c.files[id.Kind] = append(c.files[id.Kind], file{id, in})
	return true
}

// isDefinition reports whether a file mentions CustomResourceDefinition near its
// beginning, where objects in JSON have their kind.
func isDefinition(in manifestlint.Input) bool {
	f, err := in.Open()
	if err != nil {
		return true
	}
	defer f.Close()
	head := make([]byte, 2048)
	n, _ := io.ReadFull(f, head) // a short file is as good
	return bytes.Contains(head[:n], []byte(`"CustomResourceDefinition"`))
}

// Read reads a file and reports whether it has schemas. id is the identity by the
// file's name; the zero value if the name does not say it. named is set if the user
// named the file itself. An error is about a schema that cannot be used.
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
		if err := c.keep(in.Name, len(s.body)); err != nil {
			return false, err
		}
		if c.read == nil {
			c.read = map[string][]*schema{}
		}
		c.read[s.Kind] = append(c.read[s.Kind], s)
	}
	return true, nil
}

// keep adds to the size of what is kept.
func (c *Catalog) keep(name string, size int) error {
	if c.size+size > objectcontext.MaxCollected {
		return fmt.Errorf("%s: the schemas together exceed %d MiB", name, objectcontext.MaxCollected>>20)
	}
	c.size += size
	return nil
}

// text reads a file.
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

// Definition returns a custom resource definition with the schemas of a kind; nil
// if there are none, and for groups of built-in kinds. If several schemas describe
// one version, the one whose group is known best counts, and of those the first.
func (c *Catalog) Definition(group, kind string) *objectcontext.Object {
	if c == nil || kind == "" || lifecycle.IsGroup(group) {
		return nil
	}
	key := [2]string{group, kind}
	d, known := c.made[key]
	if !known {
		if c.made == nil {
			c.made = map[[2]string]*objectcontext.Object{}
		}
		d = c.makeDefinition(group, kind)
		c.made[[2]string{strings.Clone(group), strings.Clone(kind)}] = d
	}
	return d
}

func (c *Catalog) makeDefinition(group, kind string) *objectcontext.Object {
	name := strings.ToLower(kind)
	candidates := slices.Clone(c.read[name])
	for _, f := range c.files[name] {
		if f.matches(group) > 0 {
			candidates = append(candidates, c.open(f)...)
		}
	}
	slices.SortStableFunc(candidates, func(a, b *schema) int { return cmp.Compare(b.matches(group), a.matches(group)) })
	var versions []*schema
	for _, s := range candidates {
		known := slices.ContainsFunc(versions, func(v *schema) bool { return v.Version == s.Version })
		if s.matches(group) > 0 && !known && (s.spelled == "" || s.spelled == kind) {
			versions = append(versions, s)
		}
	}
	if len(versions) == 0 {
		return nil
	}
	d := definition(group, kind, versions)
	if err := c.keep(versions[0].input, d.Size()); err != nil {
		c.problems = append(c.problems, Problem{versions[0].input, err})
		return nil
	}
	return d
}

// open reads a file whose name says which kind it describes.
func (c *Catalog) open(f file) []*schema {
	fail := func(err error) []*schema {
		c.problems = append(c.problems, Problem{f.input.Name, err})
		return nil
	}
	data, err := c.text(f.input)
	if err != nil {
		return fail(err)
	}
	doc, err := parse(f.input.Name, data, true)
	if err != nil {
		return fail(err)
	}
	if doc == nil || !isOpenAPI(doc) && !isJSONSchema(doc) {
		return nil
	}
	all, err := schemasIn(doc, f.Identity, f.input.Name)
	if err != nil && !f.Unsure {
		return fail(err)
	}
	return all
}
