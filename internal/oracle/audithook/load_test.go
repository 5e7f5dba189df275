package audithook

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/client"
)

// load sends requests at a rate per second, and returns their number.
func load(ctx context.Context, s *client.Server, rate int, duration time.Duration) int {
	ctx, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	l := &loader{s: s, begun: time.Now()}
	l.send(context.WithoutCancel(ctx), "admin", "setup/1.0", http.MethodPost, "/api/v1/namespaces", "application/json", `{"metadata":{"name":"shop"}}`)
	l.send(context.WithoutCancel(ctx), "admin", "setup/1.0", http.MethodPost, "/api/v1/namespaces/shop/configmaps", "application/json", `{"metadata":{"name":"fought"}}`)
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	work := make(chan int, rate)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for i := range work {
				l.request(context.WithoutCancel(ctx), i)
			}
		})
	}
	for i := 0; ; i++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			close(work)
			workers.Wait()
			return int(l.sent.Load())
		}
		select {
		case work <- i:
		default: // the server is busy
		}
	}
}

type loader struct {
	s     *client.Server
	begun time.Time
	sent  atomic.Int64
	// turns protects turn. The two fighting clients send requests in turn.
	turns sync.Mutex
	turn  int
}

// request sends the request with number i.
func (l *loader) request(ctx context.Context, i int) {
	const maps = "/api/v1/namespaces/shop/configmaps"
	const merge = "application/merge-patch+json"
	switch i % 10 {
	case 0:
		l.send(ctx, "viewer", "old-dashboard/2.1", http.MethodGet, "/api/v1/namespaces/shop/endpoints", "", "")
	case 1:
		l.turns.Lock()
		defer l.turns.Unlock()
		l.turn++
		who := []string{"operator-a", "operator-b"}[l.turn%2]
		l.send(ctx, who, who+"/1.0", http.MethodPatch, maps+"/fought", merge, fmt.Sprintf(`{"data":{"mode":%q}}`, who))
	case 2:
		l.send(ctx, "ci-bot", "Terraform/1.9", http.MethodPost, maps, "application/json", fmt.Sprintf(`{"metadata":{"name":"c%d"},"data":{"text":%q}}`, i, strings.Repeat("x", i%2000)))
	case 3:
		l.send(ctx, "ci-bot", "Terraform/1.9", http.MethodDelete, fmt.Sprintf("%s/c%d", maps, i-10*(i/10%5)-1), "", "")
	case 4:
		l.send(ctx, "named", "named/1.0", http.MethodPatch, maps+"/fought?fieldManager=named", merge, fmt.Sprintf(`{"metadata":{"annotations":{"seen":"%d"}}}`, i))
	case 5:
		l.send(ctx, fmt.Sprintf("user-%d", i%500), fmt.Sprintf("agent-%d/1.%d", i%50, i%7), http.MethodGet, maps+"/fought", "", "")
	default:
		l.send(ctx, "reader", "reader/1.0", http.MethodGet, maps+"/missing", "", "")
	}
}

// send sends one request as a user in the group of administrators.
func (l *loader) send(ctx context.Context, user, agent, method, path, contentType, body string) {
	req, err := http.NewRequestWithContext(ctx, method, l.s.URL+path, strings.NewReader(body))
	if err != nil {
		return
	}
	req.Header.Set("Authorization", "Bearer "+l.s.Tokens["admin"])
	req.Header.Set("User-Agent", agent)
	if user != "admin" {
		req.Header.Set("Impersonate-User", user)
		req.Header.Set("Impersonate-Group", "system:masters")
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	answer, err := l.s.HTTP.Do(req)
	if err != nil {
		return
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	l.sent.Add(1)
}
