#!/bin/bash
set -e
cat > /opt/key.asc <<'EOF'
-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZ0AAABYJKwYBBAHaRw8BAQdAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAC0BHRlc3Q=
-----END PGP PUBLIC KEY BLOCK-----
EOF
mkdir -p /etc/apt/keyrings
gpg --dearmor -o /etc/apt/keyrings/demo.gpg /opt/key.asc
[ -s /etc/apt/keyrings/demo.gpg ] && echo written
gpg --dearmor < /opt/key.asc > /opt/second.gpg; cmp /etc/apt/keyrings/demo.gpg /opt/second.gpg && echo same
gpg --batch --dearmor -o /etc/apt/keyrings/demo.gpg /opt/key.asc </dev/null; echo "never"
