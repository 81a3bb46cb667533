import { programFile } from "../unix/program.ts";
import type { Package } from "./package.ts";
import { cniPlugins } from "./unit-files.ts";

/** The newest patch of each minor version of Kubernetes that the repositories have. */
const patches: Readonly<Record<number, number>> = {
  24: 17,
  25: 16,
  26: 15,
  27: 16,
  28: 15,
  29: 15,
  30: 14,
  31: 14,
  32: 13,
  33: 12,
  34: 9,
  35: 6,
  36: 3,
};

/** The patches of a minor version, the newest first, without `v`. */
export const versionsOf = (minor: number): readonly string[] =>
  Array.from({ length: (patches[minor] ?? -1) + 1 }, (_, patch) => `1.${minor}.${patch}`).toReversed();

/** The newest released patch of a minor version, for example `v1.34.9`. */
export const newestOf = (minor: number): string | undefined =>
  patches[minor] === undefined ? undefined : `v1.${minor}.${patches[minor]}`;

/** Newest minor that is modelled. */
export const newestMinor = Math.max(...Object.keys(patches).map(Number));

/** Returns the packages in the repository of a minor version, `https://pkgs.k8s.io/core:/stable:/v1.<minor>`; empty if there is none. */
export const kubernetesPackages = (minor: number, kind: "deb" | "rpm"): readonly Package[] => {
  const suffix = kind === "deb" ? "-1.1" : "-150500.1.1";
  const versions = versionsOf(minor).map((version) => `${version}${suffix}`);
  if (versions.length === 0) return [];
  const conntrack = kind === "deb" ? "conntrack" : "conntrack-tools";
  return [
    { name: "kubeadm", versions, depends: ["cri-tools"] },
    { name: "kubectl", versions },
    {
      name: "kubelet",
      versions,
      services: ["kubelet"],
      depends: ["kubernetes-cni", "iptables", "socat", "ethtool", conntrack],
    },
    { name: "cri-tools", versions: [`1.${minor}.0${suffix}`], programs: ["crictl"] },
    {
      name: "kubernetes-cni",
      versions: [`1.6.0${suffix}`],
      programs: [],
      files: Object.fromEntries(cniPlugins.map((name) => [`/opt/cni/bin/${name}`, programFile(name, "v1.6.0")])),
    },
  ];
};

/** Packages in Docker's repository. */
export const dockerPackages: readonly Package[] = [
  {
    name: "containerd.io",
    versions: ["2.1.5-1", "1.7.28-1"],
    programs: ["containerd", "ctr", "runc", "containerd-shim-runc-v2"],
    services: ["containerd"],
    files: { "/etc/containerd/config.toml": 'disabled_plugins = ["cri"]\n' },
  },
  {
    name: "docker-ce",
    versions: ["28.5.2"],
    programs: ["dockerd"],
    services: ["docker"],
    depends: ["containerd.io", "docker-ce-cli"],
  },
  { name: "docker-ce-cli", versions: ["28.5.2"], programs: ["docker"] },
  { name: "docker-buildx-plugin", versions: ["0.29.1"], programs: [] },
  { name: "docker-compose-plugin", versions: ["2.40.3"], programs: [] },
];
