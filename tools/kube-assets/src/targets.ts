/** A Go module that requires what is built, pinned by the go.mod and go.sum in `modules/<name>`. */
export interface GoModule {
  readonly name: string;
  /** The module whose version it is about. */
  readonly path: string;
  readonly version: string;
  /** Its staging modules lie beside it in its own repository; elsewhere each is required at this version. */
  readonly stagingVersion?: string;
}

export interface Program {
  readonly name: string;
  readonly module: GoModule;
  /** Import path of its package main. */
  readonly package: string;
  /** `-X` settings of the linker, so that the program tells its version. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Programs that are used together, in one folder of the cache. */
export interface Target {
  /** Version of the release, with the `v`. */
  readonly version: string;
  /** Folder below the cache. */
  readonly folder: string;
  readonly description: string;
  readonly programs: readonly Program[];
}

const kubernetes: GoModule = {
  name: "kubernetes",
  path: "k8s.io/kubernetes",
  version: "v1.36.2",
  stagingVersion: "v0.36.2",
};
/** Clusters are upgraded from it to the newer one. */
const kubernetesBefore: GoModule = {
  name: "kubernetes-before",
  path: "k8s.io/kubernetes",
  version: "v1.35.4",
  stagingVersion: "v0.35.4",
};
const coredns: GoModule = { name: "coredns", path: "github.com/coredns/coredns", version: "v1.14.2" };
const etcd: GoModule = { name: "etcd", path: "go.etcd.io/etcd/server/v3", version: "v3.6.8" };
/** Its manifests are used as well as its programs. */
export const clusterApi: GoModule = { name: "cluster-api", path: "sigs.k8s.io/cluster-api", version: "v1.13.6" };

export const goModules: readonly GoModule[] = [kubernetes, kubernetesBefore, coredns, etcd, clusterApi];

const versionVariables = (prefix: string, version: string): Readonly<Record<string, string>> => {
  const [major = "", minor = ""] = version.slice(1).split(".");
  return { [`${prefix}.gitVersion`]: version, [`${prefix}.gitMajor`]: major, [`${prefix}.gitMinor`]: minor };
};

const kubernetesProgram =
  (module: GoModule) =>
  (name: string): Program => ({
    name,
    module,
    package: `${module.path}/cmd/${name}`,
    variables: versionVariables("k8s.io/component-base/version", module.version),
  });

const serverPrograms = ["kube-apiserver", "kube-controller-manager", "kubectl", "kubeadm"] as const;
const nodePrograms = ["kubelet", "kube-scheduler", "kube-proxy"] as const;

const clusterApiProgram = (name: string, folder: string): Program => ({
  name,
  module: clusterApi,
  package: `${clusterApi.path}${folder}`,
  variables: versionVariables(`${clusterApi.path}/version`, clusterApi.version),
});

export const targets = {
  kube: {
    version: kubernetes.version,
    folder: `kubernetes-${kubernetes.version}`,
    description: `Kubernetes ${kubernetes.version} and etcd ${etcd.version}`,
    programs: [
      { name: "etcd", module: etcd, package: etcd.path },
      ...serverPrograms.map(kubernetesProgram(kubernetes)),
    ],
  },
  nodes: {
    version: kubernetes.version,
    folder: `kubernetes-${kubernetes.version}`,
    description: `what nodes of Kubernetes ${kubernetes.version} run`,
    programs: [
      { name: "coredns", module: coredns, package: coredns.path },
      ...nodePrograms.map(kubernetesProgram(kubernetes)),
    ],
  },
  "nodes-before": {
    version: kubernetesBefore.version,
    folder: `kubernetes-${kubernetesBefore.version}`,
    description: `what nodes of Kubernetes ${kubernetesBefore.version} run`,
    programs: [...serverPrograms, ...nodePrograms].map(kubernetesProgram(kubernetesBefore)),
  },
  capi: {
    version: clusterApi.version,
    folder: `cluster-api-${clusterApi.version}`,
    description: `managers of Cluster API ${clusterApi.version}`,
    programs: [
      clusterApiProgram("capi-core", ""),
      clusterApiProgram("capi-bootstrap-kubeadm", "/bootstrap/kubeadm"),
      clusterApiProgram("capi-controlplane-kubeadm", "/controlplane/kubeadm"),
      clusterApiProgram("clusterctl", "/cmd/clusterctl"),
    ],
  },
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof targets;
