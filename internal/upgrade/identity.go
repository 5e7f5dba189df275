package upgrade

import (
	"encoding/base32"
	"hash/fnv"
	"io"
	"strings"
)

// idEncoding has no letters that are easily confused.
var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// identify sets the IDs of all items. An ID depends on the owner, the subject and
// the rule, so that reports of different days have the same ID for the same thing to
// do.
func (r *Report) identify() {
	used := map[string]bool{}
	for _, list := range [][]Owner{r.MustAct, r.ShouldAct} {
		for i := range list {
			for j := range list[i].Items {
				it := &list[i].Items[j]
				h := fnv.New64a()
				parts := []string{list[i].Kind, list[i].Name, it.Rule, it.Subject}
				if fights(it.Rule) > 0 {
					parts = append(parts, it.Text)
				}
				_, _ = io.WriteString(h, strings.Join(parts, "\x00"))
				id := idEncoding.EncodeToString(h.Sum(nil))
				n := 6
				for n < len(id) && used[id[:n]] {
					n++
				}
				it.ID = id[:n]
				used[it.ID] = true
			}
		}
	}
}

// ownerKey returns a short name of an owner for addresses.
func ownerKey(o *Owner) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, o.Kind+"\x00"+o.Name)
	return idEncoding.EncodeToString(h.Sum(nil))[:8]
}
