package upgrade

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// These are the values of Item.News.
const (
	newsNew   = "new"
	newsKnown = "known"
)

// maxReport is the maximal size of a report that Read accepts, in bytes (256 MiB).
const maxReport = 256 << 20

// Read reads a report in the format json. It returns an error if the text is not an
// upgrade report.
func Read(in io.Reader) (*Report, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxReport+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxReport {
		return nil, fmt.Errorf("larger than %d MiB", maxReport>>20)
	}
	var r struct {
		From *string `json:"from"`
		Report
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("not a report of kubevet upgrade: %w", err)
	}
	if r.From == nil || r.To == "" {
		return nil, fmt.Errorf("not a report of kubevet upgrade: it has no releases")
	}
	r.Report.From = *r.From
	return &r.Report, nil
}

// Compare marks each item as new or known, and sets Done. since is a name of the earlier
// report. A missing item is done only if the new report has all kinds of evidence that
// the item had. If something could not be read, no item is done.
func (r *Report) Compare(earlier *Report, since string) {
	r.Compared.Since = since
	before := map[string]bool{}
	for o, it := range earlier.items() {
		before[itemKey(o, it)] = true
	}
	now := map[string]bool{}
	for o, it := range r.items() {
		k := itemKey(o, it)
		now[k] = true
		if before[k] {
			it.News = newsKnown
			r.Compared.Open++
		} else {
			it.News = newsNew
			r.Compared.New++
		}
	}
	if r.Summary.Incomplete {
		return
	}
	given := map[string]bool{}
	for _, s := range r.Sources {
		given[s.Kind] = s.Given
	}
	for _, part := range []struct {
		must bool
		list []Owner
	}{{true, earlier.MustAct}, {false, earlier.ShouldAct}} {
		for i := range part.list {
			o := &part.list[i]
			for j := range o.Items {
				it := &o.Items[j]
				again := !slices.ContainsFunc(it.Evidence, func(e Evidence) bool { return !given[e.Source] })
				if again && !now[itemKey(o, it)] {
					r.Done = append(r.Done, Done{ID: it.ID, Must: part.must, Kind: o.Kind, Owner: o.Name, Subject: it.Subject, Rule: it.Rule})
				}
			}
		}
	}
	r.Compared.Done = len(r.Done)
}

// Accept removes the items that the baseline has, and counts them. An item that the
// baseline lists in ShouldAct stays if it is now in MustAct.
func (r *Report) Accept(baseline *Report) {
	accepted := map[string]bool{}
	for i := range baseline.MustAct {
		for j := range baseline.MustAct[i].Items {
			accepted[itemKey(&baseline.MustAct[i], &baseline.MustAct[i].Items[j])] = true
		}
	}
	for i := range baseline.ShouldAct {
		for j := range baseline.ShouldAct[i].Items {
			accepted["should\x00"+itemKey(&baseline.ShouldAct[i], &baseline.ShouldAct[i].Items[j])] = true
		}
	}
	r.MustAct = r.removeAccepted(r.MustAct, &r.Summary.MustAct, func(k string) bool { return accepted[k] })
	r.ShouldAct = r.removeAccepted(r.ShouldAct, &r.Summary.ShouldAct, func(k string) bool { return accepted[k] || accepted["should\x00"+k] })
	owners := map[[2]string]bool{}
	for o := range r.items() {
		owners[[2]string{o.Kind, o.Name}] = true
	}
	r.Summary.Owners = len(owners)
}

// removeAccepted returns the owners without the accepted items, and subtracts the number
// of these items from count.
func (r *Report) removeAccepted(list []Owner, count *int, accepted func(key string) bool) []Owner {
	kept := []Owner{}
	for i := range list {
		o := list[i]
		o.Items = nil
		for j := range list[i].Items {
			if it := list[i].Items[j]; accepted(itemKey(&list[i], &it)) {
				r.Summary.Accepted++
				*count--
			} else {
				o.Items = append(o.Items, it)
			}
		}
		if len(o.Items) > 0 {
			kept = append(kept, o)
		}
	}
	return kept
}
