#!/bin/bash
date -u -d '2026-01-02 03:04:05' +%s
date -u -d @1767323045 '+%Y%m%d-%H%M%S %a %b %j %Z'
[ "$(date +%Y)" -ge 2024 ] && echo recent
date --utc --date='1970-01-01' +%F
[[ $(date +%s) =~ ^[0-9]{10}$ ]] && echo ten
SECONDS=0; (( SECONDS < 5 )) && echo quick
[ "$RANDOM" -ge 0 ] && echo random
[ "$EUID" -eq 0 ] && echo "$EUID $UID"
echo "${BASH_VERSION%%.*} ${BASH_SOURCE[0]} $0 $LINENO ${HOSTNAME:+named}"
