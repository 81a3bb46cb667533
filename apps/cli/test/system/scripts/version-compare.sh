#!/bin/bash
set -euo pipefail
ge() { [ "$(printf '%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; }
ge 1.34.2 1.34.0 && echo newer
ge 1.9.0 1.10.0 || echo older
V=v1.34.2; MINOR=$(echo "${V#v}" | cut -d. -f1,2); echo "https://pkgs.k8s.io/core:/stable:/v${MINOR}/deb/"
IFS=. read -r a b c <<< "${V#v}"; echo $((10#$a * 10000 + 10#$b * 100 + 10#$c))
dpkg --compare-versions 1.34.2-1.1 gt 1.34.1-1.1 && echo dpkg
