package lsp

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/kubevet/kubevet/internal/lsp/folder"
	"github.com/kubevet/kubevet/internal/treefile"
)

const (
	// chartDelay is the pause between an edit and rendering a chart. scanDelay is the
	// pause before the folder is checked. If the last check of the folder took longer
	// than scanDelay, the pause is as long as that check, up to maxDelay.
	chartDelay = 150 * time.Millisecond
	scanDelay  = 300 * time.Millisecond
	maxDelay   = 3 * time.Second
	saveDelay  = 50 * time.Millisecond
	watchDelay = 300 * time.Millisecond
	// maxScan is the time limit for checking a folder.
	maxScan = 5 * time.Minute
)

// delayedWork starts after a pause in typing: a check of the whole folder, or rendering
// some of its charts.
type delayedWork struct {
	mu     sync.Mutex
	full   bool
	charts map[string]bool
	due    time.Time
	wake   chan struct{}
	// cancel cancels the running work. It is nil if no work is running.
	cancel context.CancelFunc
	// scanTime is the duration of the last check of the folder.
	scanTime time.Duration
}

// The functions opened, edited, saved and closed handle the events of a document.

func (r *root) opened(d *document) {
	if r.openOnly {
		r.rescan(0)
		return
	}
	r.recheck(d.path)
}

func (r *root) edited(old, d *document) {
	r.recheck(d.path)
	if d.isGo() || folder.IsConfig(d.path) {
		return // Go code is checked when it is saved
	}
	use := r.UseOf(d.path)
	switch {
	case use.Chart != "":
		r.render(use.Chart)
	case use.Used, isKustomization(d.path), folder.ContextKinds(d.text.data), folder.ContextKinds(old.text.data):
		r.later.mu.Lock()
		delay := min(max(scanDelay, r.later.scanTime), maxDelay)
		r.later.mu.Unlock()
		r.schedule(delay, true, "")
	}
}

func (r *root) saved(d *document) {
	if folder.IsConfig(d.path) || isKustomization(d.path) || r.UseOf(d.path).Used || folder.ContextKinds(d.text.data) {
		r.rescan(saveDelay)
	}
}

func (r *root) closed(d *document) {
	if r.UseOf(d.path).Used || r.openOnly {
		r.rescan(saveDelay)
		return
	}
	r.recheck(d.path)
}

func isKustomization(path string) bool {
	return strings.Contains(strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:]), "kustomization")
}

func (r *root) rescan(delay time.Duration) { r.schedule(delay, true, "") }

func (r *root) render(chart string) { r.schedule(chartDelay, false, chart) }

// schedule adds work that starts after the delay. If full is true, this is a check of the
// whole folder. If chart is not empty, it is the rendering of this chart. schedule also
// cancels the running work, which uses old texts.
func (r *root) schedule(delay time.Duration, full bool, chart string) {
	l := &r.later
	l.mu.Lock()
	l.full = l.full || full
	if chart != "" {
		if l.charts == nil {
			l.charts = map[string]bool{}
		}
		l.charts[chart] = true
	}
	l.due = time.Now().Add(delay)
	if l.cancel != nil {
		l.cancel()
	}
	l.mu.Unlock()
	signal(l.wake)
}

func signal(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// delayedLoop does the scheduled work until the root is removed.
func (r *root) delayedLoop() {
	l := &r.later
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-l.wake:
		}
		for {
			l.mu.Lock()
			idle, wait := !l.full && len(l.charts) == 0, time.Until(l.due)
			l.mu.Unlock()
			if idle {
				break
			}
			if wait <= 0 {
				r.doDelayed()
				continue
			}
			select {
			case <-r.ctx.Done():
				return
			case <-time.After(wait):
			}
		}
	}
}

// doDelayed does the scheduled work, and schedules it again if it was cancelled.
func (r *root) doDelayed() {
	l := &r.later
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	l.mu.Lock()
	full, charts := l.full, l.charts
	l.full, l.charts, l.cancel = false, nil, cancel
	l.mu.Unlock()
	err := r.s.recoverPanic("checking "+r.Dir, func() error {
		if full {
			return r.scan(ctx)
		}
		for chart := range charts {
			if err := r.renderNow(ctx, chart); err != nil {
				return err
			}
		}
		return nil
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cancel = nil
	if errors.Is(err, context.Canceled) && r.ctx.Err() == nil {
		l.full = l.full || full
		if l.charts == nil {
			l.charts = charts
		}
		for chart := range charts {
			l.charts[chart] = true
		}
	}
}

// overlay returns the texts, paths and versions of the open documents.
func (r *root) overlay() (o treefile.Overlay, paths []string, versions map[string]int) {
	texts, versions := r.s.texts(r)
	for path := range texts {
		paths = append(paths, path)
	}
	return folder.Overlay(texts), paths, versions
}

// scan checks the folder and publishes the findings.
func (r *root) scan(ctx context.Context) error {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, maxScan)
	defer cancel()
	overlay, paths, versions := r.overlay()
	report, err := r.Scan(ctx, overlay, paths)
	var mistake *folder.ConfigError
	switch {
	case errors.As(err, &mistake):
		r.showConfigError(mistake)
		return nil
	case err != nil:
		if errors.Is(ctx.Err(), context.Canceled) {
			return context.Canceled
		}
		r.s.warn(messageError, "%s is not checked: %v", r.Dir, err)
		return nil
	}
	r.later.mu.Lock()
	r.later.scanTime = time.Since(start)
	r.later.mu.Unlock()
	r.logNotes(report)
	r.publish(r.storeScan(report.Findings, versions))
	r.checkNewer(versions)
	r.refreshLenses()
	return nil
}

// checkNewer checks each document that has a newer version than the scan checked.
// versions has the versions that the scan checked.
func (r *root) checkNewer(versions map[string]int) {
	_, now := r.s.texts(r)
	for path, version := range now {
		d := r.s.openAt(path)
		switch checked, ok := versions[path]; {
		case d == nil:
		case !ok, checked != version:
			r.edited(d, d) // only after the scan, the server knows how kustomizations and charts use the file
		case !r.Knows(path):
			r.recheck(path)
		}
	}
}

// renderNow renders a chart, checks it and publishes the findings.
func (r *root) renderNow(ctx context.Context, chart string) error {
	overlay, _, versions := r.overlay()
	report, ok, err := r.Render(ctx, chart, overlay)
	if err != nil {
		if ctx.Err() == nil {
			r.s.warn(messageError, "%s is not rendered: %v", chart, err)
			return nil
		}
		return context.Canceled
	}
	if !ok {
		return nil // the first scan will check the chart
	}
	r.publish(r.storeChart(chart, report.Findings, versions))
	return nil
}

// maxNotes is the maximal number of notes of a check that are written to the client's
// log.
const maxNotes = 50

func (r *root) logNotes(report *folder.Report) {
	for i, note := range report.Notes {
		if i == maxNotes {
			r.s.logf(messageInfo, "and %d more", len(report.Notes)-i)
			break
		}
		r.s.logf(messageInfo, "%s: %s", r.Dir, note)
	}
	if report.Dropped > 0 {
		r.s.warn(messageWarning, "%s has too many findings: %d are not shown", r.Dir, report.Dropped)
	}
}

// recheck schedules an immediate check of one file.
func (r *root) recheck(path string) {
	r.mu.Lock()
	r.dirty[path] = true
	r.mu.Unlock()
	signal(r.wake)
}

// checkLoop checks dirty files until the root is removed. Several edits during a check
// cause only one further check.
func (r *root) checkLoop() {
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-r.wake:
		}
		for path, ok := r.nextDirty(); ok && r.ctx.Err() == nil; path, ok = r.nextDirty() {
			_ = r.s.recoverPanic("checking "+path, func() error {
				r.checkFile(path)
				return nil
			})
		}
	}
}

func (r *root) nextDirty() (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for path := range r.dirty {
		delete(r.dirty, path)
		return path, true
	}
	return "", false
}

// checkFile checks the text of an open document, or of the file on the disk.
func (r *root) checkFile(path string) {
	d := r.s.openAt(path)
	switch {
	case d != nil && d.isGo():
		return
	case folder.IsConfig(path):
		r.checkConfig(path, d)
		return
	}
	var t *text
	version := closedVersion
	if d != nil {
		t, version = d.text, d.version
	} else if t = r.diskText(path); t == nil {
		t = newText("") // the file was deleted
	}
	found, ok, err := r.Check(r.ctx, path, []byte(t.data))
	if err != nil {
		r.s.warn(messageError, "%s is not checked: %v", r.Name(path), err)
		return
	}
	if ok {
		r.storeFile(path, found, version)
		r.publish([]string{path})
	}
}
