#!/usr/bin/env bash
# The first process of a machine, in namespaces of its own: puts its file system together and becomes systemd.
# Given: MACHINE, the machine's folder; IMAGE, the folder of its image; BASE, the root it stands on; GATEWAY, the host's
# address; POD_NETWORK, x.y.z.0/24.
set -euo pipefail
root=$MACHINE/root

# What the machine writes stays in memory; the images of its containers are on disk, in a copy of its own.
mount -t tmpfs -o size=4g,mode=755 tmpfs "$MACHINE/written"
mkdir "$MACHINE/written/upper" "$MACHINE/written/work"
mount -t overlay overlay -o "lowerdir=$IMAGE/root:$BASE,upperdir=$MACHINE/written/upper,workdir=$MACHINE/written/work" "$root"
mkdir -p "$root/var/lib/containerd" "$root/var/lib/cloud/seed"
mount --bind "$MACHINE/containerd" "$root/var/lib/containerd"
cp -r "$MACHINE/seed" "$root/var/lib/cloud/seed/nocloud"

mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"

# Devices without hardware. The console and the kernel's log are those of the host: the machine has empty ones. All are nodes of its
# own, since systemd changes owner and mode of a console.
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm" "$root/dev/mqueue"
while read -r device minor; do mknod -m 666 "$root/dev/$device" c 1 "$minor"; done <<DEVICES
null 3
zero 5
full 7
random 8
urandom 9
console 3
kmsg 3
DEVICES
mknod -m 666 "$root/dev/tty" c 5 0
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t mqueue mqueue "$root/dev/mqueue"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"

# Only settings below net/ belong to a namespace. Of the others the machine has copies, which it may write.
for settings in kernel vm fs; do
  mkdir -p "$root/run/sysctl/$settings"
  cp -r --no-preserve=all "$root/proc/sys/$settings/." "$root/run/sysctl/$settings/" 2>/dev/null || true
  [ "$settings" = kernel ] && mount --bind "$root/proc/sys/kernel/random" "$root/run/sysctl/kernel/random"
  mount --rbind "$root/run/sysctl/$settings" "$root/proc/sys/$settings"
done
echo 1 >"$root/proc/sys/net/ipv4/ip_forward"

# The hierarchies of the host, from the machine's cgroup down.
if grep -q '^[1-9]' /proc/self/cgroup; then
  mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
  while IFS=: read -r _ controllers _; do
    case $controllers in
      "") folder=unified options="" kind=cgroup2 ;;
      name=*) folder=${controllers#name=} options=none,$controllers kind=cgroup ;;
      *) folder=$controllers options=$controllers kind=cgroup ;;
    esac
    mkdir "$root/sys/fs/cgroup/$folder"
    mount -t "$kind" ${options:+-o "$options"} "$kind" "$root/sys/fs/cgroup/$folder"
  done </proc/self/cgroup
else
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
fi

printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
# Names of the internet that the host stands for.
if [ -e "$root/usr/share/capstan-nodes/hosts" ]; then
  while read -r name; do printf '%s %s\n' "$GATEWAY" "$name" >>"$root/etc/hosts"; done <"$root/usr/share/capstan-nodes/hosts"
fi
# Nobody answers there; CoreDNS would take an address of its own Pod for a loop.
printf 'nameserver %s\n' "$GATEWAY" >"$root/etc/resolv.conf"
cat >"$root/etc/cni/net.d/10-bridge.conflist" <<CNI
{
  "cniVersion": "0.4.0",
  "name": "machine",
  "plugins": [
    {
      "type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false, "hairpinMode": true,
      "ipam": { "type": "host-local", "ranges": [[{ "subnet": "$POD_NETWORK" }]], "routes": [{ "dst": "0.0.0.0/0" }] }
    },
    { "type": "portmap", "capabilities": { "portMappings": true } }
  ]
}
CNI
hostname localhost

# The host gives the machine its network, and says so.
touch "$MACHINE/assembled"
until [ -e "$MACHINE/connected" ]; do sleep 0.05; done

cd "$root"
mkdir -p run/host
pivot_root . run/host
umount -l /run/host
rmdir /run/host
mount --make-rshared /
exec env -i container=capstan-nodes PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --log-target=null </dev/null >/dev/null 2>&1
