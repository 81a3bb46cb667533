#!/bin/bash
set -euo pipefail
cat > /opt/md.json <<'EOF'
{"id": 7, "label": "node", "tags": ["a", "b"], "net": {"ipv4": [{"address": "10.0.0.2", "public": false}, {"address": "203.0.113.9", "public": true}]}, "none": null}
EOF
jq -r .label /opt/md.json
jq '.tags' /opt/md.json
jq -c '.net.ipv4[0]' /opt/md.json
jq -r '.net.ipv4[] | select(.public) | .address' /opt/md.json
jq -r '.tags | join(",")' /opt/md.json
jq -r '.missing // "default"' /opt/md.json
jq '.tags | length' < /opt/md.json
jq -r 'keys[]' /opt/md.json
jq -r --arg l node 'select(.label == $l) | "\(.label)-\(.id + 1)"' /opt/md.json
jq -e .none /opt/md.json; true
