#!/bin/bash
jq -n --arg name web --argjson n 3 '{name: $name, replicas: $n, labels: {app: $name}}'
echo '[{"n":"b","v":2},{"n":"a","v":1}]' | jq -c 'sort_by(.n) | map({(.n): .v}) | add'
echo '{"a":{"b":1}}' | jq -c '.a.c = 2 | del(.a.b)'
echo '[1,2,3]' | jq 'map(. * 2) | add'
echo '{"a":1,"b":2}' | jq -r 'to_entries[] | "\(.key)=\(.value)"'
echo '"a b"' | jq -r @sh
echo '{"x":"y"}' | jq -r '.x | ascii_upcase, length, @base64'
echo '[1,null,2]' | jq -c '[.[] | select(. != null)]'
echo '{"v":"v1.34.2"}' | jq -r '.v | ltrimstr("v") | split(".") | .[0:2] | join(".")'
echo '{"items":[{"k":1}]}' | jq -e '.items | any(.k == 1)' ; echo "$?"
echo 'not json' | jq . 2>/dev/null; echo "$?"
echo '{"a":1}' | jq -e .b; echo "$?"
echo '{"a":[1,2]}' | jq 'if .a|length > 1 then "many" else "few" end'
echo '{"s":"a-b"}' | jq 'has("s"), (.s|test("-")), (.s|sub("-";"+")), .a?.b'
