import { resource, type KubeObject, type LabelSelector } from "@capstan/schema";

/** Parts of the kinds of a workload cluster that the model reads. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface NodeObject extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface NodeTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey: string;
}

/** A key of a Secret or a ConfigMap. */
export interface KeyReference {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: KeyReference;
    readonly configMapKeyRef?: KeyReference;
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
  readonly volumeMounts?: readonly { readonly name: string; readonly readOnly?: boolean }[];
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds?: number } } };
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly hostname?: string;
  readonly hostNetwork?: boolean;
  readonly restartPolicy?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly unknown[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly NodeTerm[] };
    };
    readonly podAntiAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
    };
  };
  readonly volumes?: readonly { readonly name: string; readonly hostPath?: { readonly path: string } }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

export interface PodObject extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly startTime?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly {
      readonly name?: string;
      readonly ready?: boolean;
      readonly restartCount?: number;
      readonly state?: ContainerState;
      readonly lastState?: ContainerState;
    }[];
  };
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: { readonly startedAt?: string; readonly finishedAt?: string; readonly message?: string };
}

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

interface Templated extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: LabelSelector;
    readonly template: PodTemplate;
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

export type ReplicaSetObject = Templated;

export interface DeploymentObject extends Templated {
  readonly spec: Templated["spec"] & {
    readonly paused?: boolean;
    readonly revisionHistoryLimit?: number;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
  };
}

export interface StatefulSetObject extends Templated {
  readonly spec: Templated["spec"] & {
    readonly podManagementPolicy?: string;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
}

export interface DaemonSetObject extends Templated {
  readonly spec: Templated["spec"] & {
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string };
    };
  };
}

export interface JobObject extends Templated {
  readonly spec: Templated["spec"] & {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly backoffLimit?: number;
    readonly suspend?: boolean;
  };
}

export interface ServiceObject extends KubeObject {
  readonly spec: {
    readonly type?: string;
    readonly loadBalancerClass?: string;
    readonly healthCheckNodePort?: number;
    readonly ports?: readonly {
      readonly name?: string;
      readonly protocol?: string;
      readonly port: number;
      readonly nodePort?: number;
    }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly object[] } };
}

const core = { group: "", version: "v1" } as const;
const apps = { group: "apps", version: "v1" } as const;

export const Node = resource<NodeObject>({ ...core, kind: "Node", plural: "nodes", namespaced: false });
export const Pod = resource<PodObject>({ ...core, kind: "Pod", plural: "pods" });
export const Namespace = resource({ ...core, kind: "Namespace", plural: "namespaces", namespaced: false });
export const Secret = resource({ ...core, kind: "Secret", plural: "secrets" });
export const ConfigMap = resource({ ...core, kind: "ConfigMap", plural: "configmaps" });
export const Service = resource<ServiceObject>({ ...core, kind: "Service", plural: "services" });
export const Lease = resource({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });
export const ReplicaSet = resource<ReplicaSetObject>({ ...apps, kind: "ReplicaSet", plural: "replicasets" });
export const Deployment = resource<DeploymentObject>({ ...apps, kind: "Deployment", plural: "deployments" });
export const StatefulSet = resource<StatefulSetObject>({ ...apps, kind: "StatefulSet", plural: "statefulsets" });
export const DaemonSet = resource<DaemonSetObject>({ ...apps, kind: "DaemonSet", plural: "daemonsets" });
export const Job = resource<JobObject>({ group: "batch", version: "v1", kind: "Job", plural: "jobs" });
