#!/bin/bash
set -e
export NODE_IP=10.0.0.7 POD_CIDR=10.244.0.0/16
cat > /opt/t.yaml <<'EOF'
ip: ${NODE_IP}
cidr: $POD_CIDR
other: ${UNSET_ONE}
EOF
envsubst < /opt/t.yaml
envsubst '$NODE_IP' < /opt/t.yaml > /opt/out.yaml
cat /opt/out.yaml
envsubst '${POD_CIDR} $UNSET_ONE' < /opt/t.yaml | grep -c '\$'
