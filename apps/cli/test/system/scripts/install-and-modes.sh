#!/bin/bash
set -e
printf '#!/bin/sh\necho ran "$@"\n' > /opt/src
install -m 0755 /opt/src /usr/local/bin/tool
install -D -m 640 -o root -g daemon /opt/src /opt/deep/dir/tool
install -d -m 0750 /opt/made/two
tool a b
stat -c '%a %U:%G %n' /usr/local/bin/tool /opt/deep/dir/tool /opt/made/two /opt/made
chmod u+x,go-r /opt/src; stat -c %a /opt/src
chmod -R 700 /opt/made; stat -c %a /opt/made/two
chmod g=rx,o= /opt/src; stat -c %a /opt/src
chown daemon:daemon /opt/src; stat -c %U:%G /opt/src
chown -R root:root /opt; stat -c %U:%G /opt/src
umask 077; echo s > /opt/secret; mkdir /opt/private; stat -c %a /opt/secret /opt/private
[ -x /usr/local/bin/tool ] && [ ! -x /opt/secret ] && echo checked
