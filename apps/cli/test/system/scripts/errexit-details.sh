#!/bin/bash
set -e
f() { false; echo "f goes on"; }
f || echo "f failed"
if f; then echo "f fine"; fi
x=$(false) && echo no || echo "x failed"
! true
false || true
test -f /none && echo no
echo still
local_fail() { local v=$(false); echo "local hides it"; }
local_fail
(false; echo in) || echo "sub"
v=$(exit 9)
echo never
