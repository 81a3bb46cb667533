import { stringify } from "yaml";
import { nodeName, type Scenario } from "./scenario.ts";

const apiVersion = "kubeadm.k8s.io/v1beta4";

/** A configuration of `kubeadm init`. */
const init = (
  kubernetesVersion: string,
  {
    registration = {},
    cluster = {},
  }: {
    readonly registration?: Readonly<Record<string, unknown>>;
    readonly cluster?: Readonly<Record<string, unknown>>;
  } = {},
): Pick<Scenario, "command" | "configuration"> => ({
  command: "init",
  configuration: [
    {
      apiVersion,
      kind: "InitConfiguration",
      localAPIEndpoint: { advertiseAddress: "10.0.0.5" },
      nodeRegistration: { name: nodeName, ...registration },
    },
    { apiVersion, kind: "ClusterConfiguration", kubernetesVersion, ...cluster },
  ]
    .map((document) => stringify(document))
    .join("---\n"),
});

const join = (registration: Readonly<Record<string, unknown>> = {}): Pick<Scenario, "command" | "configuration"> => ({
  command: "join",
  configuration: stringify({
    apiVersion,
    kind: "JoinConfiguration",
    discovery: {
      bootstrapToken: {
        token: "abcdef.0123456789abcdef",
        apiServerEndpoint: "10.0.0.9:6443",
        unsafeSkipCAVerification: true,
      },
    },
    nodeRegistration: { name: nodeName, ...registration },
  }),
});

const manifests = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"].map(
  (name) => `/etc/kubernetes/manifests/${name}.yaml`,
);
const external = {
  endpoints: ["https://10.0.0.9:2379"],
  caFile: "/etc/etcd/ca.crt",
  certFile: "/etc/etcd/tls.crt",
  keyFile: "/etc/etcd/tls.key",
};

/** `minor` is that of kubeadm. */
export const scenarios = (minor: number): Readonly<Record<string, Scenario>> => {
  const version = `v1.${minor}.0`;
  const fine = init(version);
  return {
    "everything is fine": fine,
    "one CPU": { ...fine, cpus: 1 },
    "little memory": { ...fine, memoryMB: 983 },
    swap: { ...fine, swap: true },
    "packets are not forwarded": { ...fine, forwarding: false },
    "packets are not forwarded, in a join": { ...join(), forwarding: false },
    "no runtime": { ...fine, runtime: "missing" },
    "no runtime at a socket of its own": {
      ...init(version, { registration: { criSocket: "unix:///run/crio/crio.sock" } }),
    },
    "no runtime, in a join": { ...join(), runtime: "missing" },
    "a runtime without CRI": { ...fine, runtime: "no-cri" },
    "a runtime that is too old": { ...fine, runtime: "no-runtime-config" },
    "a runtime that is too old, in a join that fails": { ...join(), runtime: "no-runtime-config", forwarding: false },
    "no kubelet": { ...fine, without: ["kubelet"], services: {} },
    "no kubelet, in a join": { ...join(), without: ["kubelet"], services: {} },
    "programs are missing": { ...fine, without: ["losetup", "mount", "cp", "conntrack"] },
    "programs are missing, of an older cluster": {
      ...init(`v1.${minor - 1}.0`),
      kubelet: `v1.${minor - 1}.0`,
      without: ["losetup", "conntrack"],
    },
    "the kubelet is not enabled": { ...fine, services: { kubelet: { enabled: false, running: false } } },
    "a firewall": {
      ...fine,
      services: { kubelet: { enabled: true, running: false }, firewalld: { enabled: true, running: true } },
    },
    "a kubelet newer than the cluster": { ...init(`v1.${minor - 1}.3`), kubelet: `v1.${minor}.2` },
    "a kubelet that is too old": { ...fine, kubelet: `v1.${minor - 4}.1` },
    "a kubelet that is old": { ...fine, kubelet: `v1.${minor - 3}.1` },
    "a kubelet that is too old, in a join": { ...join(), kubelet: `v1.${minor - 4}.1` },
    // The model knows no cluster that is newer than the newest kubeadm.
    ...(minor < 36 && { "a cluster newer than kubeadm": { ...init(`v1.${minor + 1}.0`) } }),
    "a cluster too old for kubeadm": { ...init(`v1.${minor - 2}.4`) },
    "a second init": {
      ...fine,
      files: [...manifests, "/var/lib/etcd/member/snap/db"],
      ports: [6443, 10250, 10257, 10259, 2379, 2380],
    },
    "a second join": {
      ...join(),
      files: ["/etc/kubernetes/kubelet.conf", "/etc/kubernetes/bootstrap-kubelet.conf", "/etc/kubernetes/pki/ca.crt"],
      ports: [10250],
    },
    "a name that cannot be resolved": { ...fine, hasName: false },
    "a name that no Node can have": init(version, { registration: { name: "worker_0" } }),
    "no certificates of an external etcd": init(version, { cluster: { etcd: { external } } }),
    "no key of an external etcd": {
      ...init(version, { cluster: { etcd: { external } } }),
      files: [external.caFile, external.certFile],
    },
    "errors that the configuration ignores": {
      ...init(version, {
        registration: { ignorePreflightErrors: ["NumCPU", "swap", "FileContent--proc-sys-net-ipv4-ip_forward"] },
      }),
      cpus: 1,
      forwarding: false,
    },
    "errors that the command line ignores": {
      ...fine,
      cpus: 1,
      forwarding: false,
      args: ["--ignore-preflight-errors=numcpu,FileContent--proc-sys-net-ipv4-ip_forward"],
    },
    "errors of which some are ignored": {
      ...fine,
      cpus: 1,
      forwarding: false,
      args: ["--ignore-preflight-errors", "NumCPU"],
    },
    "all errors are ignored": {
      ...join({ ignorePreflightErrors: ["NumCPU"] }),
      forwarding: false,
      args: ["--ignore-preflight-errors=Mem"],
    },
    "all beside others": { ...fine, args: ["--ignore-preflight-errors=all,NumCPU"] },
  };
};
