#!/bin/sh
# Installs the command b2nd from a release: sh install.sh [VERSION] [FOLDER]; without a version the latest, into ~/.local/bin.
set -eu
version=${1:-latest}
folder=${2:-$HOME/.local/bin}
base=https://github.com/b2nd/b2nd/releases
case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64) target=aarch64-unknown-linux-musl ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    *) echo "there is no binary for this system: cargo install b2nd-cli builds one" >&2; exit 1 ;;
esac
if [ "$version" = latest ]; then
    version=$(curl -fsSLI -o /dev/null -w '%{url_effective}' "$base/latest" | sed 's|.*/v||')
fi
name=b2nd-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
curl -fsSLO "$base/download/v$version/$name.tar.gz"
curl -fsSLO "$base/download/v$version/SHA256SUMS"
sums=$(grep " $name.tar.gz\$" SHA256SUMS)
if command -v sha256sum > /dev/null; then
    echo "$sums" | sha256sum -c - > /dev/null
else
    echo "$sums" | shasum -a 256 -c - > /dev/null
fi
tar -xzf "$name.tar.gz"
mkdir -p "$folder"
mv "$name/b2nd" "$folder/b2nd"
echo "$folder/b2nd"
