package serveronly

import (
	"context"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

// kept stores in a field whether anything is sent to the server.
type kept struct {
	local  *bool
	send   bool
	side   cmdutil.DryRunStrategy
	info   *resource.Info
	client kubernetes.Interface
}

func newKept() *cobra.Command {
	k := &kept{}
	cmd := &cobra.Command{
		Use: "keep",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := k.complete(cmd); err != nil {
				return err
			}
			if err := k.patch(); err != nil {
				return err
			}
			return k.remove(cmd.Context())
		},
	}
	cmdutil.AddDryRunFlag(cmd)
	return cmd
}

func (k *kept) complete(cmd *cobra.Command) (err error) {
	if k.side, err = cmdutil.GetDryRunStrategy(cmd); err != nil {
		return err
	}
	k.send = !(*k.local || k.side == cmdutil.DryRunClient)
	return nil
}

func (k *kept) patch() error {
	if !k.send {
		return nil
	}
	_, err := resource.NewHelper(k.info.Client, k.info.Mapping).
		DryRun(k.side == cmdutil.DryRunServer).
		Replace(k.info.Namespace, k.info.Name, true, k.info.Object)
	return err
}

func (k *kept) remove(ctx context.Context) error {
	if !k.send || k.side == cmdutil.DryRunServer {
		return nil
	}
	return k.client.CoreV1().Pods("web").Delete(ctx, "p", metav1.DeleteOptions{})
}
