#!/bin/bash
set -u
x=global
f() { local x=local y; y=${1:-none}; echo "$x $y $#"; g; }
g() { echo "g sees $x"; x=changed; }
f one two; f; echo "$x"
h() { return 7; }; h; echo "$?"
function with_keyword { echo "kw $1"; }
with_keyword arg
has() { command -v "$1" >/dev/null 2>&1; }
has bash && echo yes; has no-such-thing || echo no
out=$(f in); echo "$out"
r() { (( $1 <= 1 )) && { echo 1; return; }; echo $(( $1 * $(r $(( $1 - 1 ))) )); }
r 5
unset -f h; h; echo "$?"
local z=1; echo "status $?"
type -t f; type -t echo; type -t if; type -t sed
declare -f with_keyword
