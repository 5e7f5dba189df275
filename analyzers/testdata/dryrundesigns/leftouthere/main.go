// Command leftouthere leaves the dry run out of some arguments.
package main

import (
	"context"

	"github.com/spf13/cobra"
)

var (
	dryRun bool
	client = &Client{}
)

var cleanCmd = &cobra.Command{
	Use:  "clean",
	RunE: func(c *cobra.Command, args []string) error { return clean(c.Context(), args) },
}

var purgeCmd = &cobra.Command{
	Use:  "purge",
	RunE: func(c *cobra.Command, args []string) error { return purge(c.Context(), args) },
}

var obeyCmd = &cobra.Command{
	Use:  "obey",
	RunE: func(c *cobra.Command, args []string) error { return obey(c.Context(), args) },
}

var guardCmd = &cobra.Command{
	Use:  "guard",
	RunE: func(c *cobra.Command, args []string) error { return guard(c.Context(), args) },
}

func init() {
	cleanCmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	purgeCmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	obeyCmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	guardCmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
}

func main() {
	root := &cobra.Command{Use: "x"}
	root.AddCommand(cleanCmd, purgeCmd, obeyCmd, guardCmd)
	_ = root.Execute()
}

func clean(ctx context.Context, names []string) error {
	client.Count(ctx, &CleanArgs{Names: names})
	return client.Clean(ctx, CleanArgs{Names: names}) // want "the call of Clean does not set DryRun of its CleanArgs to dryRun .*, so a dry run deletes a Pod"
}

func purge(ctx context.Context, names []string) error {
	return client.Purge(ctx, &CleanArgs{Names: names, DryRun: false}) // want "the call of Purge does not set DryRun of its CleanArgs to dryRun .*, so a dry run deletes a Secret"
}

func obey(ctx context.Context, names []string) error {
	if err := client.Clean(ctx, CleanArgs{Names: names, DryRun: dryRun}); err != nil {
		return err
	}
	args := &CleanArgs{Names: names}
	args.DryRun = dryRun
	if err := client.Purge(ctx, args); err != nil {
		return err
	}
	return client.Purge(ctx, &CleanArgs{Names: names, DryRun: true})
}

func guard(ctx context.Context, names []string) error {
	_ = client.Prune(ctx, CleanArgs{Names: names})
	if dryRun {
		return nil
	}
	return client.Clean(ctx, CleanArgs{Names: names})
}
