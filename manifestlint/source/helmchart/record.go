package helmchart

import (
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
)

// These are the limits of one rendering.
const (
	maxSteps  = 1_000_000 // nodes that are executed
	maxOutput = 64 << 20  // written bytes, including those of helpers
	maxValue  = 16 << 20  // bytes of one value
	maxTime   = 10 * time.Second
	// maxNesting is the largest depth of templates that call each other. A
	// deeper chart could overflow the stack, which would end the process.
	maxNesting = 3000
	// maxTpl is the largest depth of calls of tpl within tpl. Each level makes
	// Helm's error message longer, because it quotes the level below.
	maxTpl = 30
)

// errBudget is wrapped by the error for each of these limits.
var errBudget = errors.New("the chart does too much")

// recorder records the output of instrumented templates, with the nodes that
// wrote it. It stops templates that exceed a limit.
type recorder struct {
	program *program
	steps   int
	bytes   int
	started time.Time
	// untimed is set if another process limits the time.
	untimed bool

	now *emission
	// files has the output of each template file, by the index of its body.
	files map[int]*emission
	// inline is true if the next template writes into the output of its caller.
	inline bool
	frames []frame
	depth  int // of tpl
	// products has the products in the order in which they were created.
	products []product
	ran      map[int]bool // the nodes that were executed

	values *valuesIndex
}

// frame is a template that is being executed.
type frame struct {
	emission *emission
	inline   bool
}

// emission is the output of one execution of a template.
type emission struct {
	body   int
	pieces []piece
	len    int
	text   string // the whole output; empty until the template ends
	lines  textLines
}

// piece is the part of an output that one node wrote.
type piece struct {
	node int
	from int // offset in the emission
	text string
	// dot and root are the values of . and $ when an action ran. products is
	// the number of elements of recorder.products at this time.
	dot, root any
	products  int
}

// product is a text that an action computed and that later output may contain.
// It is the output of a helper, or a value as YAML.
type product struct {
	text string
	// by is the execution of the helper that wrote the text; nil for a value.
	by *emission
	// value is the value that the text has as YAML; nil for a helper.
	value any
}

func newRecorder(p *program) *recorder {
	return &recorder{program: p, started: time.Now(), files: map[int]*emission{}, ran: map[int]bool{}}
}

// places returns the positions of the template nodes that were executed.
func (r *recorder) places() map[place]bool {
	all := make(map[place]bool, len(r.ran))
	for n := range r.ran {
		all[place{r.program.nodes[n].template.file.place, r.program.nodes[n].pos}] = true
	}
	return all
}

// file returns the output of a template file. It returns nil if the template
// was not executed.
func (r *recorder) file(key string) *emission {
	for n, e := range r.files {
		if r.program.bodies[n].name == key {
			return e
		}
	}
	return nil
}

// functions returns the template functions with which instrumented templates
// report to the recorder.
func (r *recorder) functions() template.FuncMap {
	return template.FuncMap{
		funcEnter: r.enter, funcLeave: r.leave, funcText: r.text, funcValue: r.value,
		funcSet: r.set, funcStep: r.step, funcCall: r.call, funcDone: r.done,
		funcNest: r.nest, funcRise: r.rise,
	}
}

// step counts an executed node. It fails if the rendering exceeds the limit of
// nodes or of time.
func (r *recorder) step() (string, error) {
	r.steps++
	switch {
	case r.steps > maxSteps:
		return "", fmt.Errorf("%w: it executes more than %d million nodes", errBudget, maxSteps/1_000_000)
	case r.bytes > maxOutput:
		return "", fmt.Errorf("%w: it writes more than %d MiB", errBudget, maxOutput>>20)
	case r.steps&0xff == 0 && !r.untimed && time.Since(r.started) > maxTime:
		return "", fmt.Errorf("%w: it renders for longer than %s", errBudget, maxTime)
	}
	return "", nil
}

func (r *recorder) call() string {
	r.inline = true
	return ""
}

func (r *recorder) done() string {
	r.inline = false // an empty template does not call enter
	return ""
}

func (r *recorder) enter(body int, _ any) (string, error) {
	f := frame{emission: r.now, inline: r.inline && r.now != nil}
	r.inline = false
	r.frames = append(r.frames, f)
	if !f.inline {
		r.now = &emission{body: body}
	}
	if len(r.frames) > maxNesting {
		return "", fmt.Errorf("%w: its templates call each other deeper than %d", errBudget, maxNesting)
	}
	return r.step()
}

// nest and rise count how deep tpl calls itself, because Helm does not limit
// this depth. A text that contains tpl, and that tpl may execute, calls nest at
// its beginning and rise at its end.
func (r *recorder) nest() (string, error) {
	if r.depth++; r.depth > maxTpl {
		return "", fmt.Errorf("%w: tpl is nested deeper than %d", errBudget, maxTpl)
	}
	return r.step()
}

func (r *recorder) rise() string {
	r.depth--
	return ""
}

func (r *recorder) leave(body int) string {
	if len(r.frames) == 0 {
		return ""
	}
	f := r.frames[len(r.frames)-1]
	r.frames = r.frames[:len(r.frames)-1]
	if f.inline {
		return ""
	}
	done := r.now
	done.finish()
	r.now = f.emission
	if r.now == nil {
		r.files[body] = done
	} else if len(done.pieces) > 0 {
		r.products = append(r.products, product{text: done.text, by: done})
	}
	return ""
}

func (e *emission) finish() {
	var b strings.Builder
	b.Grow(e.len)
	for i := range e.pieces {
		b.WriteString(e.pieces[i].text)
	}
	e.text = b.String()
}

func (r *recorder) write(p piece) {
	if r.now == nil || p.text == "" {
		return
	}
	p.from = r.now.len
	r.now.len += len(p.text)
	r.bytes += len(p.text)
	r.now.pieces = append(r.now.pieces, p)
}

func (r *recorder) text(n int) (string, error) {
	text := r.program.nodes[n].text
	r.ran[n] = true
	r.write(piece{node: n, text: text})
	if _, err := r.step(); err != nil {
		return "", err
	}
	return text, nil
}

func (r *recorder) value(n int, dot, root, v any) (any, error) {
	if err := bounded(v); err != nil {
		return nil, err
	}
	if version, ok := v.(common.KubeVersion); ok {
		v = &version // fmt prints the pointer with its method String, as it does for Helm's field
	}
	// Helm removes the text that text/template writes for a missing value.
	text := ""
	if v != nil {
		text = strings.ReplaceAll(fmt.Sprint(v), "<no value>", "")
	}
	r.ran[n] = true
	r.write(piece{node: n, text: text, dot: dot, root: root, products: len(r.products)})
	if _, err := r.step(); err != nil {
		return nil, err
	}
	return v, nil
}

func (r *recorder) set(v any) (any, error) {
	if err := bounded(v); err != nil {
		return nil, err
	}
	_, err := r.step()
	return v, err
}

// bounded returns an error if a value is too large. A variable that doubles in
// a loop would otherwise use all memory.
func bounded(v any) error {
	n := 0
	switch v := v.(type) {
	case string:
		n = len(v)
	case []any:
		n = len(v) * 16
	case map[string]any:
		n = len(v) * 16
	}
	if n > maxValue {
		return fmt.Errorf("%w: it makes a value of more than %d MiB", errBudget, maxValue>>20)
	}
	return nil
}

// yaml records a value that a function wrote as YAML.
func (r *recorder) yaml(text string, v any) {
	if strings.TrimSpace(text) != "" {
		r.products = append(r.products, product{text: text, value: v})
	}
}
