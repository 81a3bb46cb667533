#!/bin/bash
set -u
echo "${A:-fine} ${B-also}"
arr=()
echo "count ${#arr[@]}" "${arr[@]+"${arr[@]}"}"
echo "$1"
echo never
