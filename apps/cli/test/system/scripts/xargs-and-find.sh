#!/bin/bash
mkdir -p /opt/m; printf 'x\n' > /opt/m/one.yaml; printf 'y\n' > /opt/m/two.yml
find /opt/m -name '*.yaml' -exec cat {} \;
find /opt/m -type f -print0 | sort -z | xargs -0 -n1 basename
find /opt/m \( -name '*.yaml' -o -name '*.yml' \) | sort | xargs -I{} echo "file {}"
printf 'a\nb\nc\n' | xargs -n2 echo
echo | xargs -r echo never
printf '1 2\n' | xargs sh -c 'echo "$0-$1"'
printf 'x\n' | xargs false; echo "status $?"
find /none; echo "status $?"
find /opt/m -newer /none 2>/dev/null; echo "status $?"
