#!/bin/sh
# The real kube-proxy. The size of the table of connections belongs to the host: it is left as it is.
for argument; do
  shift
  case $argument in
  --config=*)
    sed -E 's/^( *)(maxPerCore|min): null/\1\2: 0/' "${argument#*=}" >/tmp/config.conf
    argument=--config=/tmp/config.conf
    ;;
  /usr/local/bin/kube-proxy | kube-proxy) continue ;;
  esac
  set -- "$@" "$argument"
done
exec /usr/local/bin/kube-proxy.real "$@"
