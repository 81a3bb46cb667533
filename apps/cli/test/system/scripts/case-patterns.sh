#!/bin/bash
for a in x86_64 aarch64 armv7l riscv64; do
  case "$a" in
    x86_64 | amd64) echo amd64 ;;
    aarch64|arm64) echo arm64 ;;
    arm*) echo arm ;;
    *) echo "unknown $a" >&2 ;;
  esac
done
case "$(. /etc/os-release && echo "$ID")" in (debian) echo deb;; esac
case abc in a?c) echo q ;;& *b*) echo more ;; *) echo no ;; esac
case x in x) echo one ;& y) echo falls ;; esac
shopt -s nocasematch; case ABC in abc) echo ci;; esac; shopt -u nocasematch
