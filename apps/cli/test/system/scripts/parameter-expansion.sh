#!/bin/bash
p=/etc/kubernetes/admin.conf.bak
echo "${p##*/} ${p%/*} ${p%.bak} ${p%%.*} ${p#/}"
echo "${p/kubernetes/k8s} ${p//e/E} ${p/#\/etc/X} ${p/%bak/old}"
s="Hello World"
echo "${s^^} ${s,,} ${s:0:5} ${s: -5} ${s:6} ${#s} ${s:2:-2}"
unset u; e=
echo "[${u-unset}] [${u:-d}] [${e-unset}] [${e:-d}] [${u+set}] [${e+set}] [${e:+set}]"
: "${u:=assigned}"; echo "$u"
n=p; echo "${!n}"
echo "${s// /_}" "${s//[lo]/}"
q="it's \"x\""; printf '%q\n' "$q"
echo "${q@Q}"
list="a b  c"; set -- $list; echo "$# $3"
echo "${1:-none}${4:-none}"
(: "${missing:?must be set}"); echo "status $?"
