#!/bin/bash
set -e
readonly VERSION=v1.34.2
echo "$VERSION"
declare -r OTHER=x; declare -i num=3; num=num+4; echo "$num"
declare -x EXP=yes; sh -c 'echo $EXP'
declare -p OTHER
VERSION=other
echo never
