#!/bin/sh
# Installs the command b2nd from a release: sh install.sh [VERSION] [FOLDER]; without a version the latest, into ~/.local/bin.
set -eu
version=${1:-latest}
folder=${2:-$HOME/.local/bin}
releases=https://github.com/b2nd/b2nd/releases

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# Downloads a file of the release. Alpine has wget, but not curl.
fetch() {
    if command -v curl > /dev/null; then
        curl -fsSLO "$from/$1"
    else
        wget -q "$from/$1"
    fi || fail "there is no $from/$1, or it is out of reach"
}

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64) target=aarch64-unknown-linux-musl ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    *) fail "there is no binary for this system: cargo install b2nd-cli builds one" ;;
esac
if [ "$version" = latest ]; then
    from=$releases/latest/download
else
    from=$releases/download/v$version
fi
# The folder may be relative to the current one.
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
# Otherwise mv would put it into a directory of this name, or into one that a link of this name leads to.
if [ -e "$folder/b2nd" ] && [ ! -f "$folder/b2nd" ]; then
    fail "$folder/b2nd is not a file"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fetch SHA256SUMS
# The name has the version, which is not known if it is the latest.
line=$(grep " b2nd-[^ /]*-$target\.tar\.gz\$" SHA256SUMS) || fail "the release has no binary for $target"
archive=${line##* }
fetch "$archive"
if command -v sha256sum > /dev/null; then
    echo "$line" | sha256sum -c - > /dev/null
else
    echo "$line" | shasum -a 256 -c - > /dev/null
fi || fail "$archive has another checksum than the release tells"
tar -xzf "$archive"
mv "${archive%.tar.gz}/b2nd" "$folder/b2nd"
echo "$folder/b2nd"
