#!/bin/bash
set -e
groupadd --system etcd
useradd --system --no-create-home --shell /usr/sbin/nologin -g etcd etcd
useradd -m -s /bin/bash -G sudo deploy
id -un deploy; id -gn etcd; id -nG deploy
getent passwd deploy | cut -d: -f1,6,7
[ -d /home/deploy ] && echo home
usermod -aG etcd deploy; id -nG deploy
useradd deploy; echo "never"
