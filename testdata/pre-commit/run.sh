#!/usr/bin/env bash
# Proves .pre-commit-hooks.yaml with the real pre-commit: installs the hook from
# this checkout, as it is now, into a throw-away repository; a commit with a
# deprecated manifest must be refused and a good one accepted.
#
# Needs bash, git, Go and pre-commit. Nothing outside a temporary directory is
# changed, and nothing is downloaded that a build of this checkout would not
# download.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# Git shall not heed the user's settings, nor those of a hook that runs this.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.com
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.com
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# pre-commit gives every hook a GOPATH of its own. With the user's module cache
# and no proxy, the build proves that the checkout needs nothing else.
GOMODCACHE=$(go env GOMODCACHE)
GOCACHE=$(go env GOCACHE)
export GOMODCACHE GOCACHE
(cd "$checkout" && go list -deps ./... >/dev/null)
export GOPROXY=off PRE_COMMIT_HOME=$work/cache

# The hook's repository: a commit of the checkout, uncommitted changes included.
mkdir "$work/hook"
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do
		if [ -e "$file" ]; then printf '%s\0' "$file"; fi
	done | tar -cf - --null -T -) | tar -xf - -C "$work/hook"
cd "$work/hook"
git init -q
git add -A
git commit -qm hook
revision=$(git rev-parse HEAD)

# The user's repository.
mkdir "$work/user"
cd "$work/user"
git init -q
cat >.pre-commit-config.yaml <<EOF
repos:
- repo: $work/hook
  rev: $revision
  hooks:
  - id: kubevet-lint
    args: [--target, "1.24", --warnings-as-errors]
EOF
pre-commit install
git add .pre-commit-config.yaml

manifest() { # apiVersion
	printf 'apiVersion: %s\nkind: PodDisruptionBudget\nmetadata:\n  name: web\nspec:\n  minAvailable: 1\n' "$1"
}

mkdir deploy
manifest policy/v1beta1 >'deploy/a budget.yaml'
git add deploy
if git commit -m 'a deprecated manifest' >log 2>&1; then
	cat log
	fail "the deprecated manifest was committed"
fi
grep -q 'deploy/a budget.yaml:1:13: warning: policy/v1beta1 PodDisruptionBudget is deprecated' log || { cat log; fail "refused, but not for the manifest"; }

manifest policy/v1 >'deploy/a budget.yaml'
git add deploy
git commit -m 'a good manifest' >log 2>&1 || { cat log; fail "the good manifest was refused"; }
grep -q 'kubevet lint.*Passed' log || { cat log; fail "the hook did not run on the good manifest"; }

echo text >notes.txt
git add notes.txt
git commit -m 'no manifest' >log 2>&1 || { cat log; fail "a commit without manifests was refused"; }
grep -q 'kubevet lint.*Skipped' log || { cat log; fail "the hook ran on a file that is no manifest"; }

# go install ./... built kubevet and nothing else.
programs=$(find "$work/cache" -path '*golangenv-*/bin/*' -type f)
[ "$(basename "$programs" .exe)" = kubevet ] || fail "the hook built: $programs"

# The other hook runs that kubevet from PATH.
PATH=$(dirname "$programs"):$PATH
sed -i.old 's/id: kubevet-lint$/id: kubevet-lint-system/' .pre-commit-config.yaml
rm .pre-commit-config.yaml.old
manifest policy/v1beta1 >'deploy/a budget.yaml'
git add .pre-commit-config.yaml deploy
if git commit -m 'a deprecated manifest' >log 2>&1; then
	cat log
	fail "the installed kubevet accepted the deprecated manifest"
fi
grep -q 'deploy/a budget.yaml:1:13: warning: policy/v1beta1 PodDisruptionBudget is deprecated' log || { cat log; fail "refused by the installed kubevet, but not for the manifest"; }

echo "pre-commit: refused the deprecated manifest, accepted the good one"
