#!/bin/sh
# Puts RKE2's archive, images and install script where machines with `agentConfig.airGapped: true` look for them, or removes them.
# The agent of a host runs it; DESTDIR installs into the root of another system.
set -eu

opt=${DESTDIR:-}/opt
if [ "$CAPSTAN_ACTION" = remove ]; then
  rm -rf "$opt/rke2-artifacts" "$opt/install.sh"
  exit 0
fi
rm -rf "$opt/rke2-artifacts.new"
mkdir -p "$opt"
cp -r artifacts "$opt/rke2-artifacts.new"
rm -rf "$opt/rke2-artifacts"
mv "$opt/rke2-artifacts.new" "$opt/rke2-artifacts"
install -m 755 rke2-install.sh "$opt/install.sh"
