#!/bin/bash
diff <(printf 'a\nb\n') <(printf 'a\nc\n'); echo "status $?"
diff -q <(echo x) <(echo x) && echo same
cat <(echo one) <(echo two)
source <(echo 'v=sourced'); echo "$v"
comm -13 <(printf 'a\nb\n') <(printf 'b\nc\n')
while read -r l; do last=$l; done < <(printf '1\n2\n'); echo "$last"
