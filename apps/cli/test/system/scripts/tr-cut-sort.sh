#!/bin/bash
echo "Hello World" | tr '[:upper:]' '[:lower:]' | tr -d ' ' | tr -s l
printf 'a b c\n' | tr ' ' '\n' | sort -r | paste -sd, -
echo "one:two:three" | cut -d: -f2-
echo "abcdef" | cut -c2-4
printf '10\n9\n1\n' | sort -n | tr '\n' ' '; echo
printf 'v1.9.0\nv1.10.0\nv1.2.3\n' | sort -V | tail -n1
printf 'b 2\na 3\nc 1\n' | sort -k2 -n | head -1
printf 'x\nx\ny\n' | uniq -c
printf 'x\nx\ny\n' | sort -u | wc -l
echo 'key=value=more' | cut -d= -f1,3
printf 'a\nb\nc\n' | tail -n +2 | head -c 3; echo
echo abc | rev; printf 'a\nb\n' | tac; echo "a1b2" | tr -dc '0-9\n'
printf 'b\na\n' | sort -o /opt/sorted; cat /opt/sorted
