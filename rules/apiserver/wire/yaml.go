package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Duplicate is a map key that the source names more than once. The last
// occurrence counts.
type Duplicate struct {
	// Path is the field in the server's notation, Name the key alone.
	Path, Name string
	// Pos and End enclose the later key, First is where the earlier one is.
	Pos, End, First Pos
}

// Problem is a part of a YAML document that has no JSON form, so that no
// client can send it to a server.
type Problem struct {
	Pos  Pos
	Text string
}

// Error gives the text alone; the place is the caller's to print.
func (p *Problem) Error() string { return p.Text }

// excessive reports whether aliases make a document of nodes values, counted
// as written, grow to expanded values beyond what kubectl's YAML library
// accepts (gopkg.in/yaml.v2, decode.go, allowedAliasRatio). What passes is
// linear in what was written, so nothing that walks a Value needs a bound of
// its own.
func excessive(nodes, expanded int) bool {
	const low, high = 400_000, 4_000_000
	allowed := 0.99
	switch {
	case expanded >= high:
		allowed = 0.10
	case expanded > low:
		allowed = 0.99 - 0.89*float64(expanded-low)/(high-low)
	}
	aliased := expanded - nodes
	return aliased > 100 && expanded > 1000 && float64(aliased)/float64(expanded) > allowed
}

// maxExpanded is where counting stops.
const maxExpanded = 1 << 40

// YAML converts one parsed document into what a client would send: the rules
// are those of sigs.k8s.io/yaml, which kubectl uses (YAML 1.1 scalars, merge
// keys in the order in which they stand, the last duplicate counts).
//
// src is the text that the node was parsed from and firstLine the line of the
// input on which src begins. Duplicates are returned in document order. The
// error is a *Problem: a key that is no scalar, an alias that contains itself
// or aliases that expand without bound.
func YAML(node *yaml.Node, src []byte, firstLine int) (*Value, []Duplicate, error) {
	c := converter{src: src, firstLine: firstLine, shared: map[*yaml.Node]*Value{}, sizes: map[*yaml.Node]int{}}
	c.indexLines()
	if node.Kind == yaml.DocumentNode {
		if len(node.Content) == 0 {
			return &Value{}, nil, nil
		}
		node = node.Content[0]
	}
	if size, err := c.size(node); err != nil {
		return nil, nil, err
	} else if excessive(c.nodes, size) {
		return nil, nil, &Problem{c.pos(node), "document contains excessive aliasing"}
	}
	v, err := c.value(node, -1)
	if err != nil {
		return nil, nil, err
	}
	if len(c.dups) > 0 {
		c.nameDuplicates(v, "", map[*Value]bool{})
	}
	return v, c.dups, nil
}

type converter struct {
	src       []byte
	firstLine int
	lines     []int // offset in src of each line
	shared    map[*yaml.Node]*Value
	sizes     map[*yaml.Node]int
	nodes     int // as written
	dups      []Duplicate
	owners    []*Value // the map that each duplicate stands in
}

// nameDuplicates fills in the duplicates' paths, which nobody needs in the
// documents without any.
func (c *converter) nameDuplicates(v *Value, path string, seen map[*Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	for i, owner := range c.owners {
		if owner == v {
			c.dups[i].Path = join(path, c.dups[i].Name)
		}
	}
	for i := range v.Fields {
		c.nameDuplicates(v.Fields[i].Value, join(path, v.Fields[i].Name), seen)
	}
	for i, item := range v.Items {
		c.nameDuplicates(item, path+"["+strconv.Itoa(i)+"]", seen)
	}
}

func (c *converter) indexLines() {
	c.lines = append(c.lines, 0)
	for i := 0; ; {
		n := bytes.IndexByte(c.src[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		c.lines = append(c.lines, i)
	}
}

func (c *converter) pos(n *yaml.Node) Pos {
	return Pos{Line: n.Line + c.firstLine - 1, Column: n.Column}
}

// size counts the values below a node with aliases followed. It fails on an
// alias within its own anchor.
func (c *converter) size(n *yaml.Node) (int, error) {
	if n.Kind == yaml.AliasNode {
		s := c.sizes[n.Alias] // an anchor stands before its aliases
		if s < 0 {
			return 0, &Problem{c.pos(n), fmt.Sprintf("anchor %q value contains itself", n.Value)}
		}
		return s, nil
	}
	c.nodes++
	if len(n.Content) == 0 {
		if n.Anchor != "" {
			c.sizes[n] = 1
		}
		return 1, nil
	}
	if n.Anchor != "" {
		c.sizes[n] = -1 // on the way: an alias that meets it is a loop
	}
	total := 1
	for _, child := range n.Content {
		s, err := c.size(child)
		if err != nil {
			return 0, err
		}
		total = min(total+s, maxExpanded+1)
	}
	if n.Anchor != "" {
		c.sizes[n] = total
	}
	return total, nil
}

// value converts a node. indent is the column, from 0, of the block that
// holds it: a block scalar ends where the text is not indented further.
func (c *converter) value(n *yaml.Node, indent int) (*Value, error) {
	switch n.Kind {
	case yaml.AliasNode:
		if v, ok := c.shared[n.Alias]; ok {
			return v, nil
		}
		return c.value(n.Alias, indent)
	case yaml.MappingNode:
		return c.mapping(n)
	case yaml.SequenceNode:
		v := &Value{Kind: List, Pos: c.pos(n), End: c.pos(n), Items: make([]*Value, 0, len(n.Content))}
		c.share(n, v)
		for _, child := range n.Content {
			item, err := c.value(child, n.Column-1)
			if err != nil {
				return nil, err
			}
			v.Items = append(v.Items, item)
		}
		return v, nil
	}
	v := &Value{Pos: c.pos(n)}
	v.End = c.end(n, indent)
	v.Kind, v.Text = scalar(n)
	c.share(n, v)
	return v, nil
}

func (c *converter) share(n *yaml.Node, v *Value) {
	if n.Anchor != "" {
		c.shared[n] = v
	}
}

func (c *converter) mapping(n *yaml.Node) (*Value, error) {
	v := &Value{Kind: Map, Pos: c.pos(n), End: c.pos(n), Fields: make([]Field, 0, len(n.Content)/2)}
	c.share(n, v)
	fields := fieldSet{v: v}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			if err := c.merge(&fields, val, n.Column-1); err != nil {
				return nil, err
			}
			continue
		}
		name, err := c.key(key)
		if err != nil {
			return nil, err
		}
		f := Field{Name: name, Pos: c.pos(key), End: c.end(key, n.Column-1)}
		if f.Value, err = c.value(val, n.Column-1); err != nil {
			return nil, err
		}
		if old, merged := fields.set(f, false); old != nil && !merged {
			c.dups = append(c.dups, Duplicate{Name: name, Pos: f.Pos, End: f.End, First: *old})
			c.owners = append(c.owners, v)
		}
	}
	return v, nil
}

// merge applies a << key the way gopkg.in/yaml.v2 does: its fields overwrite
// those that stand before it, and of a list of maps the first has precedence.
func (c *converter) merge(fields *fieldSet, n *yaml.Node, indent int) error {
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = n.Content
	}
	for i := len(sources) - 1; i >= 0; i-- {
		v, err := c.value(sources[i], indent)
		if err != nil {
			return err
		}
		if v.Kind != Map {
			return &Problem{c.pos(sources[i]), "map merge requires map or sequence of maps as the value"}
		}
		for _, f := range v.Fields {
			fields.set(f, true)
		}
	}
	return nil
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "" || key.Tag == "!!merge" || key.Tag == "!") &&
		key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0
}

// fieldSet adds fields to a map, each name once.
type fieldSet struct {
	v     *Value
	index map[string]int // made once the map is too long to search
	merge []bool         // which fields came from a merge key
}

// set adds or replaces a field. It returns where the name stood before, and
// whether it came from a merge key, which an own key may replace.
func (s *fieldSet) set(f Field, merged bool) (old *Pos, wasMerged bool) {
	i := s.find(f.Name)
	if i < 0 {
		if s.index != nil {
			s.index[f.Name] = len(s.v.Fields)
		}
		s.v.Fields = append(s.v.Fields, f)
		s.merge = append(s.merge, merged)
		return nil, false
	}
	pos, was := s.v.Fields[i].Pos, s.merge[i]
	s.v.Fields[i] = f
	s.merge[i] = merged
	return &pos, was
}

func (s *fieldSet) find(name string) int {
	const searchable = 16
	if s.index == nil && len(s.v.Fields) > searchable {
		s.index = make(map[string]int, 4*searchable)
		for i := range s.v.Fields {
			s.index[s.v.Fields[i].Name] = i
		}
	}
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range s.v.Fields {
		if s.v.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// key gives the JSON name of a map key.
func (c *converter) key(n *yaml.Node) (string, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", &Problem{c.pos(n), "map key is not a scalar"}
	}
	switch kind, text := scalar(n); kind {
	case Null:
		return "null", nil
	default:
		return text, nil
	}
}

// Join appends a field name to a path in the server's notation: names that
// are no identifiers, such as annotation keys, stand in brackets.
func Join(path, name string) string { return join(path, name) }

func join(path, name string) string {
	for i := 0; i < len(name); i++ {
		if b := name[i]; b == '.' || b == '/' || b == '[' || b == ' ' {
			return path + "[" + name + "]"
		}
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// scalar gives a scalar's JSON type and text by the rules of YAML 1.1 as
// gopkg.in/yaml.v2 has them, which it also asks in every doubtful case.
func scalar(n *yaml.Node) (Kind, string) {
	quoted := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted != 0 && n.Style&yaml.TaggedStyle == 0 {
		return String, n.Value
	}
	if n.Style&yaml.TaggedStyle != 0 {
		return taggedScalar(n)
	}
	return Plain(n.Value)
}

// Plain gives the JSON type and text of an unquoted YAML scalar, by the rules
// of YAML 1.1 as gopkg.in/yaml.v2 has them.
func Plain(text string) (Kind, string) {
	if text == "" {
		return Null, ""
	}
	switch b := text[0]; {
	case b >= '1' && b <= '9' && len(text) <= 18 && allDigits(text):
		return Number, text
	case b >= '0' && b <= '9', b == '+', b == '-', b == '.':
		// A number has no more than these; the rest is a version, a path, ….
		if strings.Trim(text, "0123456789abcdefABCDEFoxXnNiIpP+-._:tTzZ ") != "" {
			return String, text
		}
		var out any
		if err := yamlv2.Unmarshal([]byte(text), &out); err != nil {
			return String, text
		}
		return jsonScalar(out, text)
	}
	return word(text)
}

func allDigits(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// word resolves the words that are no strings (gopkg.in/yaml.v2, resolve.go).
func word(text string) (Kind, string) {
	if len(text) > 5 {
		return String, text
	}
	switch text {
	case "~", "null", "Null", "NULL":
		return Null, ""
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return Bool, "true"
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return Bool, "false"
	}
	return String, text
}

// taggedScalar resolves a scalar with an explicit tag.
func taggedScalar(n *yaml.Node) (Kind, string) {
	switch n.ShortTag() {
	case "!!str":
		return String, n.Value
	case "!!null":
		return Null, ""
	}
	var out any
	text, err := json.Marshal(n.Value) // a double-quoted YAML scalar too
	if err != nil {
		return String, n.Value
	}
	if err := yamlv2.Unmarshal([]byte(n.ShortTag()+" "+string(text)), &out); err != nil {
		return String, n.Value
	}
	return jsonScalar(out, n.Value)
}

// jsonScalar gives the JSON form of a resolved scalar, as encoding/json would
// write it: 5.0 becomes 5, 010 becomes 8.
func jsonScalar(out any, text string) (Kind, string) {
	switch x := out.(type) {
	case nil:
		return Null, ""
	case bool:
		return Bool, strconv.FormatBool(x)
	case int:
		return Number, strconv.Itoa(x)
	case int64:
		return Number, strconv.FormatInt(x, 10)
	case uint64:
		return Number, strconv.FormatUint(x, 10)
	case float64:
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return String, text // JSON has no such number
		}
		b, err := json.Marshal(x)
		if err != nil {
			return String, text
		}
		return Number, string(b)
	case string:
		return String, x
	}
	return String, text
}

// end gives the place after a scalar's last character.
func (c *converter) end(n *yaml.Node, indent int) Pos {
	start := c.pos(n)
	off, ok := c.offset(n.Line, n.Column)
	if !ok || n.Kind != yaml.ScalarNode {
		return start
	}
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return c.blockEnd(n.Line, indent)
	case n.Style&yaml.TaggedStyle != 0 || n.Anchor != "":
		return c.lineEnd(n.Line)
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return c.quoteEnd(n, off, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return c.quoteEnd(n, off, '\'')
	}
	if bytes.HasPrefix(c.src[off:], []byte(n.Value)) {
		return Pos{start.Line, start.Column + utf8.RuneCountInString(n.Value)}
	}
	return c.plainEnd(n)
}

// plainEnd finds the end of a plain scalar that spans lines: the last of its
// words.
func (c *converter) plainEnd(n *yaml.Node) Pos {
	off, _ := c.offset(n.Line, n.Column)
	line := n.Line
	for _, word := range strings.Fields(n.Value) {
		i := bytes.Index(c.src[off:], []byte(word))
		if i < 0 {
			return c.lineEnd(n.Line)
		}
		line += bytes.Count(c.src[off:off+i], []byte{'\n'})
		off += i + len(word)
	}
	return c.at(line, off)
}

func (c *converter) quoteEnd(n *yaml.Node, off int, quote byte) Pos {
	line := n.Line
	for i := off + 1; i < len(c.src); i++ {
		switch b := c.src[i]; {
		case b == '\n':
			line++
		case b == '\\' && quote == '"':
			i++
			if i < len(c.src) && c.src[i] == '\n' {
				line++
			}
		case b == quote && quote == '\'' && i+1 < len(c.src) && c.src[i+1] == quote:
			i++
		case b == quote:
			return c.at(line, i+1)
		}
	}
	return c.lineEnd(n.Line)
}

// blockEnd finds the last line of a block scalar whose header is on a line.
func (c *converter) blockEnd(header, indent int) Pos {
	last, content := header, 0
	for line := header + 1; line <= len(c.lines); line++ {
		text := c.line(line)
		rest := bytes.TrimLeft(text, " ")
		if len(rest) == 0 {
			continue
		}
		spaces := len(text) - len(rest)
		if spaces <= indent || spaces < content {
			break
		}
		if content == 0 && !explicitIndent(c.line(header)) {
			content = spaces
		}
		last = line
	}
	return c.lineEnd(last)
}

// explicitIndent reports whether a block scalar's header may say itself how
// far the text is indented.
func explicitIndent(header []byte) bool {
	at := bytes.LastIndexAny(header, "|>")
	return at >= 0 && bytes.ContainsAny(header[at:], "123456789")
}

// line gives a line of src, counted from 1, without its line break.
func (c *converter) line(n int) []byte {
	if n < 1 || n > len(c.lines) {
		return nil
	}
	text := c.src[c.lines[n-1]:]
	if n < len(c.lines) {
		text = c.src[c.lines[n-1] : c.lines[n]-1]
	}
	return bytes.TrimSuffix(text, []byte{'\r'})
}

func (c *converter) lineEnd(n int) Pos {
	return Pos{n + c.firstLine - 1, utf8.RuneCount(c.line(n)) + 1}
}

// at gives the place of an offset that is known to be on a line of src.
func (c *converter) at(line, off int) Pos {
	if line < 1 || line > len(c.lines) || off < c.lines[line-1] {
		return c.lineEnd(min(max(line, 1), len(c.lines)))
	}
	return Pos{line + c.firstLine - 1, utf8.RuneCount(c.src[c.lines[line-1]:off]) + 1}
}

// offset gives the offset in src of a line and a column in code points.
func (c *converter) offset(line, column int) (int, bool) {
	if line < 1 || line > len(c.lines) {
		return 0, false
	}
	off := c.lines[line-1]
	for ; column > 1 && off < len(c.src); column-- {
		_, size := utf8.DecodeRune(c.src[off:])
		off += size
	}
	return off, off < len(c.src)
}
