#!/bin/bash
set -e
echo one | tee /opt/a /opt/b
echo two | tee -a /opt/a > /dev/null
tee /opt/c <<EOF
three
EOF
echo x | tee /none/y; echo "status $?"
echo after
