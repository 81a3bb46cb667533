#!/bin/bash
mkdir -p /opt/a/b/c && mkdir /opt/a; echo "status $?"
mkdir /opt/x/y; echo "status $?"
rmdir /opt/a/b; echo "status $?"
rmdir /opt/a/b/c && ls /opt/a/b | wc -l
cp -r /opt/a /opt/copy && ls /opt/copy
touch /opt/a/1 /opt/a/2; cp /opt/a/* /opt/copy/; ls /opt/copy
cp /opt/a /opt/z; echo "status $?"
mv /opt/copy /opt/moved; ls -1 /opt
rm /opt/moved; echo "status $?"
rm -rf /opt/moved /opt/never; echo "status $?"
rm /opt/never; echo "status $?"
ls /opt/never; echo "status $?"
cd /opt/a && pwd && cd - && cd /opt/never; echo "status $?"
pushd /opt >/dev/null && pwd && popd >/dev/null; pwd
find /opt -type f | sort; find /opt -name '1' -delete; find /opt -maxdepth 1 -mindepth 1 -type d
ls -A /opt/a
