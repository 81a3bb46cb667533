#!/bin/bash
set -euo pipefail
printf 'hello\n' | base64
head -c 100 /dev/zero | tr '\0' x | base64
head -c 100 /dev/zero | tr '\0' x | base64 -w0; echo
echo aGVsbG8K | base64 -d > /opt/plain; cat /opt/plain
echo '!!!' | base64 -d || echo "bad $?"
printf 'abc' > /opt/f; sha256sum /opt/f; (cd /opt && sha256sum f > sums && sha256sum -c sums)
echo "0000000000000000000000000000000000000000000000000000000000000000  /opt/f" | sha256sum --check --status || echo "differs $?"
echo "0000000000000000000000000000000000000000000000000000000000000000  /opt/f" | sha256sum -c || echo "differs $?"
md5sum < /opt/f
