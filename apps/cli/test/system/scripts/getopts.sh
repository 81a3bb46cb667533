#!/bin/bash
parse() {
  local OPTIND opt
  while getopts ":v:hx" opt; do
    case $opt in
      v) echo "version $OPTARG" ;;
      h) echo help ;;
      \?) echo "unknown -$OPTARG" ;;
      :) echo "-$OPTARG needs a value" ;;
      x) echo x ;;
    esac
  done
  shift $((OPTIND - 1)); echo "rest $*"
}
parse -v 1.2 -hx a b; parse -z; parse -v
while [ $# -gt 0 ]; do shift; done
set -- --name n --flag; while [ $# -gt 0 ]; do case $1 in --name) n=$2; shift 2;; --flag) f=1; shift;; esac; done; echo "$n $f"
