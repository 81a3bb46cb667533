#!/bin/bash
touch /opt/empty; echo x > /opt/full
for t in -e -f -s -d -r -w -x; do
  for f in /opt/empty /opt/full /opt /none; do test $t $f && printf '%s %s; ' $t $f; done
done; echo
[ -z "" -a -n x ] && echo both
[ /opt/full -nt /none ] && echo newer
[ "$(stat -c %s /opt/full)" -eq 2 ] && echo two
[ a = b -o c = c ] && echo or
test 1 -eq one; echo "status $?"
[ x; echo "status $?"
