#!/bin/bash
set -e
cat > /etc/containerd.toml <<'EOF'
version = 2
[plugins]
  SystemdCgroup = false
  sandbox_image = "registry.k8s.io/pause:3.6"
# [debug]
EOF
sed -i 's/SystemdCgroup = false/SystemdCgroup = true/; s#pause:3\.6#pause:3.10#' /etc/containerd.toml
sed -i -e '/^# \[debug\]/s/^# //' -e '$a\  level = "info"' /etc/containerd.toml
sed -n '2,3p' /etc/containerd.toml
sed -E 's/^( *)([a-zA-Z_]+) = (.*)$/\1\2: \3/;t;d' /etc/containerd.toml
sed '/plugins/,/sandbox/d' /etc/containerd.toml
sed -i.bak '/version/d' /etc/containerd.toml
printf 'a\nb\nc\n' | sed '2i\
inserted' | sed '/c/a after' | sed -n '$='
printf 'k=v\n' | sed 's|k=\(.*\)|\1=k|' | sed 'y/vk/VK/'
printf 'one two\n' | sed 's/\w\+/<&>/2'
printf '  lead\n' | sed 's/^[[:space:]]*//;q'
printf 'a\nb\n' | sed ':a;N;$!ba;s/\n/,/g'
