#!/bin/sh
# Installs kubeadm, the kubelet, kubectl, containerd, runc, the CNI plugins and crictl, or removes them.
# The agent of a host runs it; DESTDIR installs into the root of another system, and starts nothing.
set -eu

root=${DESTDIR:-}
units=$root/etc/systemd/system
containerd="containerd containerd-shim-runc-v2 ctr"

service() {
  [ -n "$root" ] || systemctl "$@"
}

if [ "$CAPSTAN_ACTION" = remove ]; then
  service disable --now kubelet.service containerd.service || true
  for program in kubeadm kubelet kubectl crictl $containerd; do rm -f "$root/usr/local/bin/$program"; done
  rm -f "$root/usr/local/sbin/runc" "$root/etc/crictl.yaml" "$root/etc/modules-load.d/kubernetes.conf"
  rm -f "$root/etc/sysctl.d/90-kubernetes.conf" "$units/kubelet.service" "$units/containerd.service"
  rm -rf "$units/kubelet.service.d" "$root/opt/cni/bin"
  service daemon-reload
  exit 0
fi

mkdir -p "$root/usr/local/bin" "$root/usr/local/sbin" "$root/opt/cni/bin" "$units/kubelet.service.d"
mkdir -p "$root/etc/modules-load.d" "$root/etc/sysctl.d" "$root/etc/containerd" "$root/etc/kubernetes/manifests"
install -m 755 kubeadm kubelet kubectl "$root/usr/local/bin"
install -m 755 runc "$root/usr/local/sbin"
tar -xzf containerd.tar.gz -C "$root/usr/local" --no-same-owner
tar -xzf crictl.tar.gz -C "$root/usr/local/bin" --no-same-owner
tar -xzf cni-plugins.tgz -C "$root/opt/cni/bin" --no-same-owner

printf 'overlay\nbr_netfilter\n' > "$root/etc/modules-load.d/kubernetes.conf"
printf 'net.bridge.bridge-nf-call-iptables = 1\nnet.ipv4.ip_forward = 1\n' > "$root/etc/sysctl.d/90-kubernetes.conf"
printf 'runtime-endpoint: unix:///run/containerd/containerd.sock\n' > "$root/etc/crictl.yaml"
[ -e "$root/etc/containerd/config.toml" ] || cat > "$root/etc/containerd/config.toml" <<'END'
version = 3
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = 'io.containerd.runc.v2'
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
    SystemdCgroup = true
END

cat > "$units/containerd.service" <<'END'
[Unit]
Description=containerd
After=network.target

[Service]
ExecStart=/usr/local/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
LimitNOFILE=infinity
TasksMax=infinity

[Install]
WantedBy=multi-user.target
END

cat > "$units/kubelet.service" <<'END'
[Unit]
Description=kubelet
Wants=network-online.target
After=network-online.target containerd.service

[Service]
ExecStart=/usr/local/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
END

cat > "$units/kubelet.service.d/10-kubeadm.conf" <<'END'
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/local/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
END

[ -n "$root" ] || modprobe -a overlay br_netfilter
[ -n "$root" ] || sysctl -q --system
service daemon-reload
service enable kubelet.service
service enable containerd.service
service restart containerd.service
[ "$CAPSTAN_ACTION" != upgrade ] || service try-restart kubelet.service
