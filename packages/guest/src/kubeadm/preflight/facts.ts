import type { Disk } from "../../boot/disk.ts";

/** State of the socket of a container runtime. */
export type RuntimeState =
  | "ready"
  /** There is no socket. */
  | "missing"
  /** It answers, but has no CRI: containerd whose plugin is disabled, as the package of Docker has it. */
  | "no-cri"
  /** It is too old for the call RuntimeConfig, as containerd before 2.0 is. */
  | "no-runtime-config";

/** Facts about a machine that kubeadm's checks read. */
export interface PreflightFacts {
  /** With its `v`. */
  readonly kubeadmVersion: string;
  /** With its `v`; `undefined`: it is not on the path. */
  readonly kubeletVersion: string | undefined;
  readonly cpus: number;
  /** Memory that the kernel has left for programs, in units of 2^20 bytes. */
  readonly memoryMB: number;
  readonly isSwapOn: boolean;
  readonly disk: Pick<Disk, "stat" | "isDirectory">;
  /** A setting of the kernel by its key; `undefined`: the kernel does not have it. */
  readonly setting: (key: string) => string | undefined;
  readonly hasProgram: (name: string) => boolean;
  /** A service by its name, without `.service`; `undefined`: there is none. */
  readonly service: (name: string) => { readonly enabled: boolean; readonly running: boolean } | undefined;
  readonly isPortTaken: (port: number) => boolean;
  readonly runtimeAt: (socket: string) => RuntimeState;
  /** Why a name cannot be resolved; `undefined`: it can. */
  readonly lookup: (name: string) => string | undefined;
}

/** Part of kubeadm's configuration that its checks depend on. */
export interface PreflightSubject {
  /** `unix:///…` */
  readonly socket: string;
  readonly nodeName: string;
  /** The cluster's version with its `v`; of a join it is not known yet. */
  readonly kubernetesVersion?: string;
}

/** A configuration of `kubeadm init`, or of a join as a control plane once that of its cluster is known. */
export interface ControlPlaneSubject extends PreflightSubject {
  readonly kubernetesVersion: string;
  readonly bindPort: number;
  readonly advertiseAddress: string;
  /** Ranges of services and Pods. */
  readonly ranges: readonly string[];
  /** Where etcd keeps its data; absent: it is external. */
  readonly etcdDirectory?: string;
  /** Files that connect to an external etcd; empty where there is none. */
  readonly externalEtcd: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
}

/** A configuration of `kubeadm join`. */
export interface JoinSubject extends PreflightSubject {
  readonly isControlPlane: boolean;
  readonly caCertPath: string;
  /** `host:port` of discovery by token; absent: by a file. */
  readonly endpoint?: string;
}
