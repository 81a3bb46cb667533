import { fitsPattern } from "../unix/pattern.ts";
import type { GuestImage } from "./guest-image.ts";
import { stockImages } from "./stock-images.ts";

/** Programs that image-builder installs in addition to Kubernetes. */
const nodePrograms = {
  containerd: "2.1.4",
  ctr: "2.1.4",
  runc: "1.3.0",
  crictl: "v1.34.0",
  socat: "1.7.4",
  conntrack: "1.4.6",
  ethtool: "5.16",
  ebtables: "2.0.11",
  iptables: "1.8.7",
  jq: "1.6",
} as const;

const nodeKernel = {
  modules: ["overlay", "br_netfilter"],
  settings: {
    "net.ipv4.ip_forward": "1",
    "net.ipv6.conf.all.forwarding": "1",
    "net.bridge.bridge-nf-call-iptables": "1",
    "net.bridge.bridge-nf-call-ip6tables": "1",
  },
} as const;

/** Returns an image with the programs of a version of Kubernetes, as image-builder makes it. */
const nodeImage = (base: GuestImage, name: string, version: string): GuestImage => ({
  ...base,
  names: [name],
  programs: { ...nodePrograms, kubeadm: version, kubelet: version, kubectl: version },
  services: ["containerd", "kubelet"],
  kernel: nodeKernel,
});

/**
 * The version of Kubernetes in the name of an image: `cluster-api-ubuntu-2204-v1.34.2`, `ubuntu-2204-kube-v1.34.2`, the reference images of
 * Azure (`.../images/capi-ubun2-2404/versions/1.34.2`, `cncf-upstream:capi:ubuntu-2204-gen1:134.2.20251101`).
 */
const kubernetesIn = (name: string): string | undefined => {
  if (!/kube|k8s|capi|cluster-api/i.test(name)) return undefined;
  const [, minor, patch] =
    /(?:^|[^\d.])1[.-](\d\d)[.-](\d{1,2})(?!\d|\.\d)/.exec(name) ??
    /1dot(\d\d)dot(\d{1,2})/.exec(name) ??
    /:1(\d\d)\.(\d{1,2})\.\d{8}$/.exec(name) ??
    [];
  return minor === undefined ? undefined : `v1.${minor}.${patch}`;
};

/** `k3s` or `rke2` in the name of an image with its version, whose plus may be another sign. */
const distributionIn = (name: string): Readonly<Record<string, string>> | undefined => {
  const [, version = "", release = ""] = /v?(1\.\d\d\.\d{1,2})[-+_.]((?:k3s|rke2r)\d+)/.exec(name) ?? [];
  return version === "" ? undefined : { [release.startsWith("k3s") ? "k3s" : "rke2"]: `v${version}+${release}` };
};

const fits = (image: GuestImage, name: string): boolean =>
  image.names.some((pattern) => fitsPattern(pattern.toLowerCase(), name.toLowerCase()));

/** Returns the image that a cloud calls by this name. An unknown one is a bare Ubuntu, with `isKnown` false. */
export const findImage = (
  name: string,
  more: readonly GuestImage[] = [],
): { readonly image: GuestImage; readonly isKnown: boolean } => {
  const given = more.find((image) => fits(image, name));
  if (given !== undefined) return { image: given, isKnown: true };
  const stock = stockImages.find((image) => fits(image, name));
  const bare: GuestImage = stock ?? { names: [name], system: "ubuntu", release: "22.04" };
  // Instances of Linode have a disk to swap to, unless they are made without.
  const base = name.startsWith("linode/") ? { ...bare, swap: true } : bare;
  const programs = distributionIn(name);
  if (programs !== undefined) return { image: { ...base, names: [name], programs }, isKnown: true };
  const version = kubernetesIn(name);
  if (version !== undefined) return { image: nodeImage(base, name, version), isKnown: true };
  return { image: base, isKnown: stock !== undefined };
};
