import { createHash } from "node:crypto";
import { cniPlugins } from "../packages/unit-files.ts";
import { newestMinor, newestOf } from "../packages/kubernetes-packages.ts";
import { distributionUnit } from "../packages/distribution-units.ts";
import { own } from "@capstan/schema";
import { programFile } from "../unix/program.ts";
import { archive } from "./archive.ts";
import type { InternetPlace } from "./internet.ts";

/** The programs of a release of Kubernetes. */
const kubernetesRelease = ({ pathname }: URL): string | undefined => {
  if (pathname === "/release/stable.txt") return newestOf(newestMinor);
  const [, line] = /^\/release\/stable-1\.(\d+)\.txt$/.exec(pathname) ?? [];
  if (line !== undefined) return newestOf(Number(line));
  const [, version = "", minor = "", program = "", sum] =
    /^(?:\/release)?\/(v1\.(\d+)\.\d+)\/bin\/linux\/amd64\/(kubeadm|kubelet|kubectl)(\.sha256|\.sha512)?$/.exec(
      pathname,
    ) ?? [];
  if (version === "" || newestOf(Number(minor)) === undefined) return undefined;
  const content = programFile(program, version);
  return sum === undefined ? content : createHash(sum.slice(1)).update(content).digest("hex");
};

/** Releases on GitHub: what comes after the repository, and what is in it. */
interface Release {
  readonly repository: string;
  /** With the version as its group. */
  readonly asset: RegExp;
  readonly content: (version: string) => string;
}

const programs = (names: readonly string[], folder: string, version: string): string =>
  archive(Object.fromEntries(names.map((name) => [`${folder}${name}`, programFile(name, version)])));

const releases: readonly Release[] = [
  {
    repository: "containerd/containerd",
    asset: /^v([\d.]+)\/containerd(?:-static)?-\1-linux-amd64\.tar\.gz$/,
    content: (version) =>
      programs(["containerd", "ctr", "containerd-shim-runc-v2", "containerd-stress"], "bin/", version),
  },
  {
    repository: "opencontainers/runc",
    asset: /^v([\d.]+)\/runc\.amd64$/,
    content: (version) => programFile("runc", version),
  },
  {
    repository: "containernetworking/plugins",
    asset: /^v([\d.]+)\/cni-plugins-linux-amd64-v\1\.tgz$/,
    content: (version) => programs(cniPlugins, "./", `v${version}`),
  },
  {
    repository: "kubernetes-sigs/cri-tools",
    asset: /^v([\d.]+)\/crictl-v\1-linux-amd64\.tar\.gz$/,
    content: (version) => programs(["crictl"], "", `v${version}`),
  },
  {
    repository: "kubernetes-sigs/cri-tools",
    asset: /^v([\d.]+)\/critest-v\1-linux-amd64\.tar\.gz$/,
    content: (version) => programs(["critest"], "", `v${version}`),
  },
  {
    repository: "mikefarah/yq",
    asset: /^v([\d.]+)\/yq_linux_amd64$/,
    content: (version) => programFile("yq", version),
  },
];

const githubRelease = ({ pathname }: URL): string | undefined => {
  const [, repository, path = ""] = /^\/([^/]+\/[^/]+)\/releases\/download\/(.+)$/.exec(pathname) ?? [];
  const asset = path.replace(/\.sha256(?:sum)?$/, "");
  for (const release of releases) {
    if (release.repository !== repository) continue;
    const [, version] = release.asset.exec(asset) ?? [];
    if (version === undefined) continue;
    const content = release.content(version);
    if (asset === path) return content;
    return `${createHash("sha256").update(content).digest("hex")}  ${asset.split("/").at(-1)}\n`;
  }
  return undefined;
};

const sumsOf = (files: Readonly<Record<string, string>>): string =>
  Object.entries(files)
    .map(([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`)
    .join("");

/** Files of a release of k3s or RKE2 by name, for each of their repositories. */
const distributionFiles: Readonly<Record<string, (version: string) => Readonly<Record<string, string>>>> = {
  "k3s-io/k3s": (version) => ({ k3s: programFile("k3s", version) }),
  "rancher/rke2": (version) => ({
    "rke2.linux-amd64.tar.gz": archive({
      "bin/rke2": programFile("rke2", version),
      "bin/rke2-killall.sh": "#!/bin/sh\n",
      "bin/rke2-uninstall.sh": "#!/bin/sh\n",
      "lib/systemd/system/rke2-server.service": distributionUnit("rke2-server", "/usr/local/bin/rke2", "server"),
      "lib/systemd/system/rke2-agent.service": distributionUnit("rke2-agent", "/usr/local/bin/rke2", "agent"),
    }),
  }),
};

const distributionRelease = ({ pathname }: URL): string | undefined => {
  const [, repository = "", version = "", minor = "", name = ""] =
    /^\/(k3s-io\/k3s|rancher\/rke2)\/releases\/download\/(v1\.(\d+)\.\d+\+(?:k3s|rke2r)\d+)\/([^/]+)$/.exec(
      decodeURIComponent(pathname),
    ) ?? [];
  if (version === "" || newestOf(Number(minor)) === undefined) return undefined;
  const files = distributionFiles[repository]?.(version) ?? {};
  return name === "sha256sum-amd64.txt" ? sumsOf(files) : own(files, name);
};

const containerdUnit = `[Unit]
Description=containerd container runtime
After=network.target

[Service]
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/containerd
Restart=always

[Install]
WantedBy=multi-user.target
`;

const kubeletUnit = `[Unit]
Description=kubelet
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

const kubeletDropIn = `[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`;

const rawFile = ({ pathname }: URL): string | undefined => {
  if (/^\/containerd\/containerd\/[^/]+\/containerd\.service$/.test(pathname)) return containerdUnit;
  if (/^\/kubernetes\/release\/[^/]+\/cmd\/krel\/templates\/latest\/kubelet\/kubelet\.service$/.test(pathname)) {
    return kubeletUnit;
  }
  return /^\/kubernetes\/release\/[^/]+\/cmd\/krel\/templates\/latest\/kubeadm\/10-kubeadm\.conf$/.test(pathname)
    ? kubeletDropIn
    : undefined;
};

/** The address that says by where it leads what the newest release of a channel is. */
const channel = (name: string, repository: string, suffix: string): InternetPlace => ({
  urls: [`https://update.${name}.io/v1-release/channels/*`],
  answer: ({ pathname }) => (versionOfChannel(pathname) === undefined ? undefined : ""),
  leadsTo: ({ pathname }) => `https://github.com/${repository}/releases/tag/${versionOfChannel(pathname)}+${suffix}`,
  redirects: true,
});

const versionOfChannel = (pathname: string): string | undefined => {
  const [, minor] = /\/(?:stable|latest|v1\.(\d+))$/.exec(pathname) ?? ["", ""];
  if (minor === "") return undefined;
  return newestOf(minor === undefined ? newestMinor : Number(minor));
};

/** Where programs are fetched from. */
export const downloadPlaces: readonly InternetPlace[] = [
  { urls: ["https://dl.k8s.io/*"], answer: kubernetesRelease, redirects: true },
  { urls: ["https://cdn.dl.k8s.io/*"], answer: kubernetesRelease },
  { urls: ["https://github.com/*/releases/download/*"], answer: githubRelease, redirects: true },
  { urls: ["https://github.com/*/releases/download/*"], answer: distributionRelease, redirects: true },
  channel("k3s", "k3s-io/k3s", "k3s1"),
  channel("rke2", "rancher/rke2", "rke2r1"),
  { urls: ["https://raw.githubusercontent.com/*"], answer: rawFile },
];
