#!/bin/sh
# Fetches what an RKE2 bundle has, checks it, and puts it into a folder for `capstan bundle build`.
# Usage: fetch.sh VERSION ARCHITECTURE FOLDER, such as fetch.sh v1.36.2+rke2r1 amd64 ./rke2-amd64
set -eu

version=$1
arch=$2
folder=$3
github=${GITHUB_DOWNLOADS:-https://github.com}
script=${RKE2_INSTALL_SCRIPT:-https://get.rke2.io}
releases=$github/rancher/rke2/releases/download/$(echo "$version" | sed 's/+/%2B/')
images=rke2-images.linux-$arch.tar.zst

get() {
  curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
}

mkdir -p "$folder/artifacts"
for file in "rke2.linux-$arch.tar.gz" "$images" "sha256sum-$arch.txt"; do get "$releases/$file" "$folder/artifacts/$file"; done
(cd "$folder/artifacts" && grep -e "  rke2.linux-$arch.tar.gz\$" -e "  $images\$" "sha256sum-$arch.txt" > wanted)
[ "$(grep -c . "$folder/artifacts/wanted")" = 2 ] || { echo "fetch.sh: no checksums in sha256sum-$arch.txt" >&2; exit 1; }
(cd "$folder/artifacts" && sha256sum --check --quiet wanted)
rm "$folder/artifacts/wanted"
get "$script" "$folder/rke2-install.sh"
install -m 755 "$(dirname "$0")/install.sh" "$folder/install.sh"
