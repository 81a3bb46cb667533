#!/bin/bash
set -u
pkgs=(curl "two words" jq)
pkgs+=(socat)
echo "${#pkgs[@]} ${pkgs[0]} ${pkgs[-1]} ${!pkgs[@]}"
for p in "${pkgs[@]}"; do echo "<$p>"; done
echo "${pkgs[@]:1:2}"
echo "${pkgs[*]/o/0}"
unset 'pkgs[1]'
echo "${pkgs[@]}" "${#pkgs[@]}"
IFS=,; echo "${pkgs[*]}"; unset IFS
pkgs[7]=late; echo "${!pkgs[@]}"
empty=(); echo "${#empty[@]}" "${empty[@]:-none}"
copy=("${pkgs[@]}"); echo "${copy[@]: -1}"
