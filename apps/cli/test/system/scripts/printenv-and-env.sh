#!/bin/bash
export A=1; B=2 C=3 env | grep -E '^(A|B|C)=' | sort
env -i X=y sh -c 'echo "${A:-none} $X"'
A=override sh -c 'echo $A'; echo "$A"
set -a; D=auto; set +a; sh -c 'echo $D'
export -n A; sh -c 'echo "${A:-unexported}"'
cat > /opt/env <<'EOF'
# comment
KEY="some value"
OTHER=plain
EOF
. /opt/env; echo "$KEY $OTHER"
export $(grep -v '^#' /opt/env | grep OTHER | xargs); printenv OTHER; printenv NONE; echo "status $?"
readonly R=1; R=2; echo "status $?"
