#!/bin/bash
set -euo pipefail
declare -A version=([kubeadm]=1.34.2 [kubelet]=1.34.1)
version[crictl]=1.34.0
for k in $(printf '%s\n' "${!version[@]}" | sort); do echo "$k=${version[$k]}"; done
[[ -v version[kubelet] ]] && echo has
[[ -n ${version[none]:-} ]] || echo "no none"
echo "${#version[@]}"
unset "version[kubelet]"
echo "${#version[@]}"
