package helmchart

import (
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
)

// These are the bounds of one rendering.
const (
	maxSteps  = 1_000_000 // nodes that are executed
	maxOutput = 64 << 20  // written bytes, including those of helpers
	maxValue  = 16 << 20  // bytes of one value
	maxTime   = 10 * time.Second
	// maxNesting bounds how deep templates may call each other. A stack
	// overflow ends the process.
	maxNesting = 3000
	// maxTpl bounds how deep tpl may call itself. Helm's errors quote each
	// level inside the next.
	maxTpl = 30
)

// errBudget is wrapped by all errors of these bounds.
var errBudget = errors.New("the chart does too much")

// recorder records what instrumented templates write. It stops them if they
// exceed a bound.
type recorder struct {
	program *program
	steps   int
	bytes   int
	started time.Time
	// untimed is set if another process limits the time.
	untimed bool

	now *emission
	// files has the output of the templates of files, by the index of the body.
	files map[int]*emission
	// inline is set if the next template writes to the same output as this one.
	inline bool
	frames []frame
	depth  int // of tpl
	// made has the products in the order of their creation.
	products []product
	ran      map[int]bool // the nodes that were executed

	values *valuesIndex
}

// frame is a template that is being executed.
type frame struct {
	emission *emission
	inline   bool
}

// emission is the output of one execution of a template, in pieces.
type emission struct {
	body   int
	pieces []piece
	len    int
	text   string // all of it, once it is complete
	lines  textLines
}

// piece is the output of one node.
type piece struct {
	node int
	from int // offset in the emission
	text string
	// dot and root are the values of . and $ at an action. products is the
	// number of products before it.
	dot, root any
	products  int
}

// product is a text that may be a part of the output: the output of a helper,
// or a value as YAML.
type product struct {
	text string
	// by is the output of the helper; nil for a value.
	by *emission
	// value is the value that was written as YAML; nil for a helper.
	value any
}

func newRecorder(p *program) *recorder {
	return &recorder{program: p, started: time.Now(), files: map[int]*emission{}, ran: map[int]bool{}}
}

// places returns the nodes that were executed.
func (r *recorder) places() map[place]bool {
	all := make(map[place]bool, len(r.ran))
	for n := range r.ran {
		all[place{r.program.nodes[n].template.file.place, r.program.nodes[n].pos}] = true
	}
	return all
}

// file returns the output of the template of a file, or nil if it was not
// executed.
func (r *recorder) file(key string) *emission {
	for n, e := range r.files {
		if r.program.bodies[n].name == key {
			return e
		}
	}
	return nil
}

// functions are the template functions that report to the recorder.
func (r *recorder) functions() template.FuncMap {
	return template.FuncMap{
		funcEnter: r.enter, funcLeave: r.leave, funcText: r.text, funcValue: r.value,
		funcSet: r.set, funcStep: r.step, funcCall: r.call, funcDone: r.done,
		funcNest: r.nest, funcRise: r.rise,
	}
}

// step counts a step. It fails if there were too many.
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
	r.inline = false // an empty template does not enter
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

// nest and rise are called at the beginning and the end of texts that tpl may
// execute and that call tpl themselves. Helm does not bound that.
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
		v = &version // which has a String method, as a field of the original has
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

// bounded fails for a value that is too large. Variables that double in a loop
// would take all memory.
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

// toYAML records a value that was written as YAML.
func (r *recorder) yaml(text string, v any) {
	if strings.TrimSpace(text) != "" {
		r.products = append(r.products, product{text: text, value: v})
	}
}
