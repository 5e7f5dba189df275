// Command decisions records audit logs of kube-apiservers with admission policies, Pod
// Security levels and webhooks. Some of them deny requests, some only write audit
// annotations, and some webhooks fail.
//
//	go run ./decisions                    both releases
//	go run ./decisions -releases 1.37.1   one of them
//
// The logs have the requests of the scene, and one request of the server itself, which
// has the server's version.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "decisions:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("decisions", flag.ContinueOnError)
	releases := flags.String("releases", "1.33.13,1.37.1", "releases to record")
	binaries := flags.String("binaries", "", "directory of the kube-apiservers (default: kubevet-oracle below the user's cache directory)")
	logs := flags.String("logs", filepath.Join("..", "..", "testdata", "audit"), "directory for the logs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *binaries == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		*binaries = filepath.Join(cache, "kubevet-oracle")
	}
	for version := range strings.SplitSeq(*releases, ",") {
		if err := record(ctx, version, *binaries, *logs); err != nil {
			return fmt.Errorf("%s: %w", version, err)
		}
	}
	return nil
}

// auditPolicy logs the metadata of all requests.
const auditPolicy = `{"apiVersion":"audit.k8s.io/v1","kind":"Policy","omitStages":["RequestReceived"],"rules":[{"level":"Metadata"}]}`

// record writes the log of a release.
func record(ctx context.Context, version, binaries, logs string) error {
	binary, err := release.Build(ctx, version, binaries)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "decisions")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	policy, log := filepath.Join(dir, "policy.json"), filepath.Join(dir, "audit.log")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	start := release.Run(binary, filepath.Join(dir, "server.log"))
	s, stop, err := server.Start(ctx, server.Options{Name: version, Dir: dir, Run: func(ctx context.Context, args []string) error {
		return start(ctx, append(args, "--audit-policy-file="+policy, "--audit-log-path="+log))
	}})
	if err != nil {
		return err
	}
	played := play(ctx, &actor{s})
	stop() // the log is complete only after the server has ended
	if played != nil {
		return played
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	return write(filepath.Join(logs, "decisions-"+release.Minor(version)+".log.gz"), data)
}

// write writes the events of the scene, and the first event of the server.
func write(name string, log []byte) error {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	lines := bufio.NewScanner(bytes.NewReader(log))
	lines.Buffer(nil, 16<<20)
	named := false
	for lines.Scan() {
		var e struct {
			UserAgent string
			User      struct{ Username string }
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return err
		}
		self := !named && e.User.Username == "system:apiserver"
		if self {
			named = true
		}
		if self || strings.HasPrefix(e.UserAgent, scenePrefix) {
			if _, err := z.Write(append(lines.Bytes(), '\n')); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(lines.Err(), z.Close()); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}

type actor struct{ *client.Server }

type request struct {
	method, path, body, contentType string
	// user is the impersonated user, or "" for the administrator. agent is the User-Agent
	// header.
	user, agent string
	token       string
}

// send sends a request and returns the HTTP status and the body of the answer.
func (a *actor) send(ctx context.Context, r request) (int, string, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, a.URL+r.path, strings.NewReader(a.Replace.Replace(r.body)))
	if err != nil {
		return 0, "", err
	}
	if r.token == "" {
		r.token = "admin"
	}
	req.Header.Set("Authorization", "Bearer "+a.Tokens[r.token])
	req.Header.Set("User-Agent", r.agent)
	if r.contentType == "" {
		r.contentType = "application/json"
	}
	req.Header.Set("Content-Type", r.contentType)
	if r.user != "" {
		req.Header.Set("Impersonate-User", r.user)
		req.Header.Set("Impersonate-Group", "system:masters")
	}
	response, err := a.HTTP.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// settle is the time in which a server loads new policies.
const settle = 5 * time.Second

// play sets up the scene and sends its requests.
func play(ctx context.Context, a *actor) error {
	for _, r := range setup() {
		r.agent = "setup"
		code, body, err := a.send(ctx, r)
		if err != nil {
			return err
		}
		if code != http.StatusCreated && !strings.Contains(r.path, "mutatingadmissionpol") {
			return fmt.Errorf("%s %s: status %d: %s", r.method, r.path, code, body)
		}
	}
	probe := request{method: http.MethodPost, path: "/api/v1/namespaces/strict/configmaps?dryRun=All", body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"probe"}}`, agent: "probe"}
	for deadline := time.Now().Add(2 * time.Minute); ; {
		code, body, err := a.send(ctx, probe)
		if err != nil {
			return err
		}
		if code == http.StatusUnprocessableEntity {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("no policy denies: status %d: %s", code, body)
		}
		time.Sleep(time.Second)
	}
	time.Sleep(settle)
	for _, r := range scene() {
		code, body, err := a.send(ctx, r.request)
		if err != nil {
			return err
		}
		if code != r.want {
			return fmt.Errorf("%s %s: status %d, want %d: %s", r.method, r.path, code, r.want, body)
		}
	}
	return nil
}
