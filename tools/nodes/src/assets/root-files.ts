/** Files of every machine, by path below its root. What they bend to this host is in the README, with the reason. */
export const rootFiles: Readonly<Record<string, string>> = {
  "etc/containerd/config.toml": `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "PAUSE_IMAGE"
  # Without CAP_SYS_RESOURCE nobody may lower a score.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
`,
  "etc/cloud/cloud.cfg.d/99-machine.cfg": `# Every module that needs neither disks, nor a network outside, nor a boot loader.
datasource_list: [NoCloud]
network: {config: disabled}
cloud_init_modules: [migrator, seed_random, bootcmd, write-files, disk_setup, mounts, set_hostname, update_hostname, update_etc_hosts, ca-certs, users-groups]
cloud_config_modules: [ntp, timezone, runcmd]
cloud_final_modules: [write-files-deferred, scripts-vendor, scripts-per-once, scripts-per-boot, scripts-per-instance, scripts-user, final-message]
`,
  "usr/share/capstan-nodes/kubelet.d/50-host.conf": `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
cgroupDriver: cgroupfs
`,
  "usr/lib/systemd/system/kubelet.service": `[Unit]
Description=kubelet
After=network-online.target containerd.service

[Service]
Environment="KUBECONFIGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="CONFIGURATION=--config=/var/lib/kubelet/config.yaml --config-dir=/usr/share/capstan-nodes/kubelet.d"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=/usr/bin/kubelet $KUBECONFIGS $CONFIGURATION $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
Restart=always
RestartSec=5
StartLimitInterval=0

[Install]
WantedBy=multi-user.target
`,
};

/** Units that reach for hardware, clocks, terminals or archives of packages, none of which a machine here has. */
export const maskedUnits: readonly string[] = [
  "apt-daily.timer",
  "apt-daily-upgrade.timer",
  "cloud-init-hotplugd.socket",
  "console-getty.service",
  "dpkg-db-backup.timer",
  "e2scrub_all.timer",
  "e2scrub_reap.service",
  "fstrim.timer",
  "getty@tty1.service",
  "systemd-journal-flush.service",
  "systemd-logind.service",
  "systemd-pstore.service",
  "systemd-timesyncd.service",
  "systemd-udevd.service",
  "systemd-update-utmp.service",
];

/** Units that installing packages into a root leaves out, by the target that wants them. */
export const enabledUnits: Readonly<Record<string, readonly string[]>> = {
  "cloud-init.target": [
    "cloud-init-local.service",
    "cloud-init.service",
    "cloud-config.service",
    "cloud-final.service",
  ],
  "multi-user.target": ["containerd.service", "kubelet.service"],
};
