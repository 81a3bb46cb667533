#!/bin/bash
curl -fsS --connect-timeout 2 http://127.0.0.1:9/x; echo "status $?"
curl -s http://127.0.0.1:9/x || echo quiet
code=$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:9/ || true); echo "code $code"
curl -fsSL file:///etc/hostname-none; echo "status $?"
curl --no-such-option 2>/dev/null; echo "status $?"
