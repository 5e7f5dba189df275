package helmchart

import (
	"sync"
	"text/template/parse"
)

// parseCache keeps the parsed template files of a chart, so that each file is
// parsed once. Callers must not change the trees. The zero value is empty. It
// is safe for concurrent use.
type parseCache struct {
	mu  sync.Mutex
	all map[*file]parsedTemplate
}

// parsedTemplate is a template file that was parsed.
type parsedTemplate struct {
	key, text string
	own       *parse.Tree
	all       map[string]*parse.Tree
}

// parse returns the trees of a template file. own is the text outside of
// defines. all has own and the file's defines, by their names.
func (p *parseCache) parse(s *templateFile) (own *parse.Tree, all map[string]*parse.Tree, err error) {
	p.mu.Lock()
	had, ok := p.all[s.file]
	p.mu.Unlock()
	if ok && had.key == s.key && had.text == s.text {
		return had.own, had.all, nil
	}
	if own, all, err = parseTemplate(s); err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[*file]parsedTemplate{}
	}
	p.all[s.file] = parsedTemplate{s.key, s.text, own, all}
	return own, all, nil
}

// known returns the trees of a file that was parsed before, and the name under
// which it was parsed. own is nil if it was not parsed.
func (p *parseCache) known(s *templateFile) (key string, own *parse.Tree, all map[string]*parse.Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if had, ok := p.all[s.file]; ok && had.text == s.text {
		return had.key, had.own, had.all
	}
	return "", nil, nil
}

// forget removes all trees from the cache.
func (p *parseCache) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = nil
}

func parseTemplate(s *templateFile) (own *parse.Tree, all map[string]*parse.Tree, err error) {
	all = map[string]*parse.Tree{}
	t := parse.New(s.key)
	t.Mode = parse.SkipFuncCheck
	own, err = t.Parse(s.text, "", "", all)
	return own, all, err
}
