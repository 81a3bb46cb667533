#!/usr/bin/env bash
# Begins a machine: joins the cgroups that are made for it and becomes `unshare`, whose child is the machine's first process.
# Given: CGROUPS, folders separated by spaces; what first-process.sh wants.
set -euo pipefail
for folder in $CGROUPS; do echo $$ >"$folder/cgroup.procs"; done
exec unshare --mount --pid --fork --kill-child --uts --ipc --net --cgroup bash "${0%/*}/first-process.sh"
