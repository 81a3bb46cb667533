/** The plugins that networks are built of, which packages and image-builder put into `/opt/cni/bin`. */
export const cniPlugins = [
  "bridge",
  "host-local",
  "loopback",
  "portmap",
  "bandwidth",
  "firewall",
  "static",
  "tuning",
] as const;

const unit = (description: string, program: string): string =>
  `[Unit]\nDescription=${description}\n\n[Service]\nExecStart=${program}\nRestart=always\n\n[Install]\nWantedBy=multi-user.target\n`;

const kubeletDropIn = `[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`;

const folder = "/usr/lib/systemd/system";

/** The files with which a package tells systemd of a service, by their paths. */
export const unitFiles = (service: string): Readonly<Record<string, string>> => ({
  [`${folder}/${service}.service`]: unit(service, `/usr/bin/${service === "docker" ? "dockerd" : service}`),
  ...(service === "kubelet" && { [`${folder}/kubelet.service.d/10-kubeadm.conf`]: kubeletDropIn }),
});
