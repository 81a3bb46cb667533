#!/bin/bash
kubelet-not-here --version
echo "status $?"
./none; echo "status $?"
/etc/passwd; echo "status $?"
/etc; echo "status $?"
cd /none && echo never
if not-here; then :; else echo "else $?"; fi
not-here | cat; echo "status $?"
