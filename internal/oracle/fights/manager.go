package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/kubevet/kubevet/internal/oracle/release"
)

// controllers are the controllers of the real kube-controller-manager that
// scenes need.
const controllers = "deployment-controller,replicaset-controller,statefulset-controller,job-controller,garbage-collector-controller," +
	"clusterrole-aggregation-controller,serviceaccount-controller,endpointslice-controller,resourcequota-controller,disruption-controller"

// manager runs the real kube-controller-manager until the scene ends. Each
// controller has its own service account.
func (p *play) manager() {
	binary, err := release.Manager(p.ctx, p.stage.release, p.stage.binaries)
	if err != nil {
		p.fail("%v", err)
	}
	a := p.person("system:kube-controller-manager", "kube-controller-manager", "")
	a.keepsHeaders = true
	a.reacts(5*time.Millisecond, 400*time.Millisecond)
	config := filepath.Join(p.stage.dir, "manager.kubeconfig")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: '" + a.address() + "'}}]\ncontexts: [{name: c, context: {cluster: c, user: c}}]\ncurrent-context: c\nusers: [{name: c, user: {}}]\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		p.fail("%v", err)
	}
	log, err := os.Create(filepath.Join(p.stage.dir, "manager.log"))
	if err != nil {
		p.fail("%v", err)
	}
	cmd := exec.CommandContext(p.ctx, binary, "--kubeconfig="+config, "--controllers="+controllers, "--leader-elect=false", "--secure-port=0",
		"--use-service-account-credentials=true", "--kube-api-qps=200", "--kube-api-burst=400", "--min-resync-period=240h")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		p.fail("%v", err)
	}
	p.atEnd = append(p.atEnd, func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); log.Close() })
	time.Sleep(4 * time.Second)
	p.calm()
}

// calm waits until the programs of the scene have sent no requests for half a
// second.
func (p *play) calm() {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if time.Since(time.Unix(0, p.lastRequest.Load())) > 500*time.Millisecond {
			return
		}
	}
}
