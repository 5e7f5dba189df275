#!/bin/sh
# Installs a release of kubevet:
#
#   curl -fsSL https://github.com/kubevet/kubevet/releases/latest/download/install.sh | sh
#   curl -fsSL https://github.com/kubevet/kubevet/releases/latest/download/install.sh | sh -s -- -v v0.1.0 -b /usr/local/bin
#
# It needs tar (on Windows unzip), curl or wget, and sha256sum, shasum or openssl.
# Nothing is installed unless its checksum is that of the release.
set -eu

usage() {
	cat <<'END'
usage: install.sh [-v VERSION] [-b DIR] [-c DIR]
  -v VERSION  the release, such as v0.1.0; the latest by default
  -b DIR      where to put kubevet; ~/.local/bin by default, /usr/local/bin for root
  -c DIR      keep the archive in DIR, and download it only if the one there is not the release's
KUBEVET_RELEASES is the address of the releases, for a mirror:
https://github.com/kubevet/kubevet/releases by default.
END
}

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# download ADDRESS FILE
download() {
	protocols='=https' # not even after a redirection
	case $1 in http:*) protocols='=http,https' ;; esac
	if has curl; then
		curl -fsSL --retry 3 --proto "$protocols" -o "$2" "$1" || fail "could not download $1"
	elif has wget; then
		wget -q -O "$2" "$1" || fail "could not download $1"
	else
		fail "needs curl or wget"
	fi
}

# sum FILE prints the SHA-256 checksum.
sum() {
	if has sha256sum; then
		sha256sum <"$1"
	elif has shasum; then
		shasum -a 256 <"$1"
	elif has openssl; then
		openssl dgst -sha256 -r <"$1"
	else
		fail "needs sha256sum, shasum or openssl"
	fi | cut -d ' ' -f 1
}

# platform sets os, arch, archive and program.
platform() {
	program=kubevet kind=tar.gz
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	MINGW* | MSYS* | CYGWIN*) os=windows program=kubevet.exe kind=zip ;;
	*) fail "there is no release for $(uname -s); build it with go install github.com/kubevet/kubevet/cmd/kubevet@latest" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "there is no release for $(uname -m); build it with go install github.com/kubevet/kubevet/cmd/kubevet@latest" ;;
	esac
	archive=kubevet_${os}_$arch.$kind
}

# The whole script is read before main runs, so that half of a download does nothing.
main() {
	version=latest directory='' cache=''
	while getopts v:b:c:h option; do
		case $option in
		v) version=$OPTARG ;;
		b) directory=$OPTARG ;;
		c) cache=$OPTARG ;;
		h) usage && exit 0 ;;
		*) usage >&2 && exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	if [ $# -gt 0 ]; then
		usage >&2
		exit 2
	fi
	if [ -z "$directory" ]; then
		if [ "$(id -u)" = 0 ]; then directory=/usr/local/bin; else directory=$HOME/.local/bin; fi
	fi
	platform
	case $version in
	latest) address=${KUBEVET_RELEASES:-https://github.com/kubevet/kubevet/releases}/latest/download ;;
	v[0-9]*) address=${KUBEVET_RELEASES:-https://github.com/kubevet/kubevet/releases}/download/$version ;;
	*) fail "$version is not a version such as v0.1.0" ;;
	esac

	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	download "$address/checksums.txt" "$work/checksums.txt"
	want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/checksums.txt")
	case $want in
	*[!0-9a-f]* | '') fail "$address/checksums.txt has no checksum of $archive" ;;
	esac
	if [ -n "$cache" ] && [ -f "$cache/$archive" ] && [ "$(sum "$cache/$archive")" = "$want" ]; then
		cp "$cache/$archive" "$work/$archive"
	else
		download "$address/$archive" "$work/$archive"
	fi
	got=$(sum "$work/$archive")
	if [ "$got" != "$want" ]; then
		fail "$address/$archive has the checksum $got, not $want as checksums.txt says; nothing is installed"
	fi
	case $kind in
	zip) unzip -q "$work/$archive" "$program" -d "$work" ;;
	*) tar -xzf "$work/$archive" -C "$work" "$program" ;;
	esac
	if [ -n "$cache" ]; then
		mkdir -p "$cache"
		cp "$work/$archive" "$cache/$archive"
	fi

	# A rename replaces a program that runs.
	mkdir -p "$directory"
	cp "$work/$program" "$directory/.kubevet.new"
	chmod 755 "$directory/.kubevet.new"
	mv -f "$directory/.kubevet.new" "$directory/$program"
	"$directory/$program" version | head -n 1
	case :$PATH: in
	*:"$directory":*) ;;
	*) echo "$directory/$program is installed; $directory is not on PATH" ;;
	esac
}

main "$@"
