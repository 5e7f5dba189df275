package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/fights/ledger"
)

// event has the fields of an audit event that are needed to rewrite it.
type event struct {
	AuditID, Verb, RequestURI, UserAgent string
	Stage                                string
	User, ImpersonatedUser               struct{ Username string }
	ObjectRef                            struct{ APIGroup, Resource, Namespace, Name string }
	ResponseStatus                       struct{ Code int }
	RequestReceivedTimestamp             time.Time
	StageTimestamp                       time.Time
}

// writes reports whether an event is a successful write. A dry run is not a
// write.
func (e event) writes() bool {
	switch e.Verb {
	case "create", "update", "patch", "delete", "deletecollection":
		return e.ResponseStatus.Code < 300 && !strings.Contains(e.RequestURI, "dryRun=")
	}
	return false
}

// line is an event of the new log.
type line struct {
	at   time.Time
	play *play
	text []byte
	// user and object are set for a successful write. The object of a write to
	// a collection has no name.
	user   string
	object ledger.Object
}

// wrote reports whether a line is a write of one of the users to an object.
func (l line) wrote(users []string, o ledger.Object) bool {
	if l.user == "" || l.object.Resource != o.Resource || l.object.Group != o.Group || !slices.Contains(users, l.user) {
		return false
	}
	return o.Namespace == "" && l.object.Name == o.Name || l.object.Namespace == o.Namespace && (l.object.Name == o.Name || l.object.Name == "")
}

// rewrite reads the server's log and changes the times of the events of plays
// to simulated times. It returns the events in the order in which they end,
// because a server writes them in this order.
func (s *stage) rewrite(log string) ([]line, error) {
	file, err := os.Open(log)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []line
	histories := map[*play]*history{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s: %w", log, err)
		}
		st, found := s.stamps[e.AuditID]
		if !found {
			continue
		}
		h := histories[st.play]
		if h == nil {
			h = &history{play: st.play, fields: map[string]entry{}, other: map[string]time.Time{}, versions: map[string]string{}, ends: map[string]time.Time{}}
			histories[st.play] = h
		}
		end := st.at.Add(e.StageTimestamp.Sub(e.RequestReceivedTimestamp))
		if e.writes() {
			end = h.after(e, end)
		}
		l := line{at: end, play: st.play, text: h.move(slices.Clone(lines.Bytes()), e, st, end)}
		if e.writes() {
			l.user, l.object = cmp.Or(e.ImpersonatedUser.Username, e.User.Username), ledger.Object{Group: e.ObjectRef.APIGroup, Resource: e.ObjectRef.Resource, Namespace: e.ObjectRef.Namespace, Name: e.ObjectRef.Name}
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b line) int { return a.at.Compare(b.at) })
	return all, lines.Err()
}

// history maps the real dates in a play's log to simulated times.
type history struct {
	play *play
	// fields has the simulated times of entries of managedFields.
	fields map[string]entry
	// other has the simulated times of all dates outside of managedFields, by
	// real date. versions has the resource version of each object in the last
	// response.
	other    map[string]time.Time
	versions map[string]string
	// ends has the simulated time at which the last write of each object ended.
	ends map[string]time.Time
}

// entry is the real and the simulated time of an entry of managedFields.
type entry struct {
	real string
	at   time.Time
}

// after returns the simulated end of a write. This is end, or a later time if
// the last write to the same object ended at end or later. This is needed
// because requests which were sent at the same time can have simulated times in
// another order.
func (h *history) after(e event, end time.Time) time.Time {
	object := e.ObjectRef.Resource + "/" + e.ObjectRef.Namespace + "/" + e.ObjectRef.Name
	if last, found := h.ends[object]; found && !end.After(last) {
		end = last.Add(time.Millisecond)
	}
	h.ends[object] = end
	return end
}

const (
	micro = "2006-01-02T15:04:05.000000Z"
	dated = `"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"`
)

var (
	received   = regexp.MustCompile(`"requestReceivedTimestamp":"[^"]*","stageTimestamp":"[^"]*"`)
	owned      = regexp.MustCompile(`"manager":"([^"]*)","operation":"(\w+)"(?:,"apiVersion":"[^"]*"|,"subresource":"(\w+)")?,"time":` + dated)
	anyDate    = regexp.MustCompile(`"([^"]*)":` + dated)
	versionRE  = regexp.MustCompile(`"resourceVersion":"(\d+)"`)
	uidRE      = regexp.MustCompile(`"uid":"([0-9a-f-]{36})"`)
	managerRE  = regexp.MustCompile(`[?&]fieldManager=([^&]*)`)
	responseAt = []byte(`"responseObject":`)
)

// move replaces the real times of an event with simulated ones.
func (h *history) move(text []byte, e event, st stamp, end time.Time) []byte {
	text = received.ReplaceAll(text, fmt.Appendf(nil, `"requestReceivedTimestamp":"%s","stageTimestamp":"%s"`, st.at.Format(micro), end.Format(micro)))
	object := e.ObjectRef.Resource + "/" + e.ObjectRef.Namespace + "/" + e.ObjectRef.Name
	_, response, _ := bytes.Cut(text, responseAt)
	changed := false
	if m := versionRE.FindSubmatch(response); m != nil && e.Verb != "get" && e.Verb != "list" && e.ResponseStatus.Code < 300 {
		changed = h.versions[object] != string(m[1])
		h.versions[object] = string(m[1])
	}
	manager, _, _ := strings.Cut(e.UserAgent, "/")
	if m := managerRE.FindStringSubmatch(strings.ReplaceAll(e.RequestURI, `\u0026`, "&")); m != nil {
		manager = strings.ReplaceAll(m[1], "%3A", ":")
	}
	uid := ""
	if m := uidRE.FindSubmatch(response); m != nil {
		uid = string(m[1])
	}
	text = replaceDate(owned, text, 4, func(m [][]byte) (time.Time, bool) {
		key := object + " " + string(m[1]) + " " + string(m[2]) + " " + string(m[3])
		real := string(m[4])
		if !h.recent(real) {
			return time.Time{}, false
		}
		known, found := h.fields[key]
		own := changed && string(m[1]) == manager && near(real, st.wall)
		if !found || own || known.real != real {
			known = entry{real, st.at}
			h.fields[key] = known
		}
		return known.at, true
	})
	return replaceDate(anyDate, text, 2, func(m [][]byte) (time.Time, bool) {
		field, real := string(m[1]), string(m[2])
		if field == "requestReceivedTimestamp" || field == "stageTimestamp" || !h.recent(real) {
			return time.Time{}, false
		}
		key := object + " " + uid + " " + field + " " + real
		at, found := h.other[key]
		if !found {
			at = st.at
			h.other[key] = at
		}
		return at, true
	})
}

// recent reports whether a date is a real time during the play.
func (h *history) recent(date string) bool {
	t, err := time.Parse(time.RFC3339, date)
	return err == nil && t.After(h.play.stage.began.Add(-2*time.Second)) && t.Before(h.play.wall[1].Add(2*time.Second))
}

func near(date string, wall time.Time) bool {
	t, err := time.Parse(time.RFC3339, date)
	d := t.Sub(wall)
	return err == nil && d > -2*time.Second && d < 3*time.Second
}

// replaceDate replaces the date in a group of each match. at returns the new
// date.
func replaceDate(re *regexp.Regexp, text []byte, group int, at func(m [][]byte) (time.Time, bool)) []byte {
	var out []byte
	last := 0
	for _, loc := range re.FindAllSubmatchIndex(text, -1) {
		m := make([][]byte, len(loc)/2)
		for i := range m {
			if loc[2*i] >= 0 {
				m[i] = text[loc[2*i]:loc[2*i+1]]
			}
		}
		t, ok := at(m)
		if !ok {
			continue
		}
		out = append(out, text[last:loc[2*group]]...)
		layout := time.RFC3339
		if bytes.IndexByte(m[group], '.') >= 0 {
			layout = micro
		}
		out = t.UTC().AppendFormat(out, layout)
		last = loc[2*group+1]
	}
	return append(out, text[last:]...)
}
