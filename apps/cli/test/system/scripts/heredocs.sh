#!/bin/bash
set -eu
NAME=node-1
cat <<EOF > /etc/demo.conf
name=$NAME
home=${HOME}
sum=$((1 + 2))
cmd=$(echo inner)
literal=\$NAME \\ "quoted" 'single'
EOF
cat <<'EOF' | tee /etc/raw.conf >/dev/null
$NAME \n ${x}
EOF
cat > /opt/two <<-ONE && echo written
	tabs go
	  spaces stay
	ONE
cat <<A; cat <<B
first
A
second
B
cat /etc/demo.conf /etc/raw.conf /opt/two
