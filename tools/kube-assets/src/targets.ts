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
const etcd: GoModule = { name: "etcd", path: "go.etcd.io/etcd/server/v3", version: "v3.6.8" };
/** Its manifests are used as well as its programs. */
export const clusterApi: GoModule = { name: "cluster-api", path: "sigs.k8s.io/cluster-api", version: "v1.13.6" };

export const goModules: readonly GoModule[] = [kubernetes, etcd, clusterApi];

const versionVariables = (prefix: string, version: string): Readonly<Record<string, string>> => {
  const [major = "", minor = ""] = version.slice(1).split(".");
  return { [`${prefix}.gitVersion`]: version, [`${prefix}.gitMajor`]: major, [`${prefix}.gitMinor`]: minor };
};

const kubernetesProgram = (name: string): Program => ({
  name,
  module: kubernetes,
  package: `${kubernetes.path}/cmd/${name}`,
  variables: versionVariables("k8s.io/component-base/version", kubernetes.version),
});

const clusterApiProgram = (name: string, folder: string): Program => ({
  name,
  module: clusterApi,
  package: `${clusterApi.path}${folder}`,
  variables: versionVariables(`${clusterApi.path}/version`, clusterApi.version),
});

export const targets = {
  kube: {
    folder: `kubernetes-${kubernetes.version}`,
    description: `Kubernetes ${kubernetes.version} and etcd ${etcd.version}`,
    programs: [
      { name: "etcd", module: etcd, package: etcd.path },
      ...["kube-apiserver", "kube-controller-manager", "kubectl", "kubeadm"].map(kubernetesProgram),
    ],
  },
  capi: {
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
