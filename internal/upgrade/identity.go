package upgrade

import (
	"encoding/base32"
	"hash/fnv"
	"io"
	"iter"
	"strings"
)

// idEncoding encodes IDs with digits and letters, without letters that people confuse.
var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// identify sets the IDs of all items. An ID depends on the owner, the subject and the
// rule. So an item has the same ID in reports of different days.
func (r *Report) identify() {
	used := map[string]bool{}
	for o, it := range r.items() {
		h := fnv.New64a()
		_, _ = io.WriteString(h, itemKey(o, it))
		id := idEncoding.EncodeToString(h.Sum(nil))
		n := 6
		for n < len(id) && used[id[:n]] {
			n++
		}
		it.ID = id[:n]
		used[it.ID] = true
	}
}

// itemKey returns a key that identifies an item in this report and in reports of other
// days.
func itemKey(o *Owner, it *Item) string {
	parts := []string{o.Kind, o.Name, it.Rule, it.Subject}
	if it.Rule == "" {
		parts = append(parts, it.Category)
	}
	if fightRank(it.Rule) > 0 {
		parts = append(parts, it.Text)
	}
	return strings.Join(parts, "\x00")
}

// items yields all items with their owners.
func (r *Report) items() iter.Seq2[*Owner, *Item] {
	return func(yield func(*Owner, *Item) bool) {
		for _, list := range [][]Owner{r.MustAct, r.ShouldAct} {
			for i := range list {
				for j := range list[i].Items {
					if !yield(&list[i], &list[i].Items[j]) {
						return
					}
				}
			}
		}
	}
}

// ownerKey returns a short key of an owner for addresses in a page.
func ownerKey(o *Owner) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, o.Kind+"\x00"+o.Name)
	return idEncoding.EncodeToString(h.Sum(nil))[:8]
}
