import type { KubeObject } from "@capstan/schema";
import { resource } from "@capstan/schema";

/** The parts of workload objects that the Machine controller reads. */
export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly NodeTaint[];
  };
  readonly status?: {
    readonly conditions?: readonly NodeCondition[];
    readonly nodeInfo?: Readonly<Record<string, unknown>>;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly volumesAttached?: readonly { readonly name: string }[];
  };
}

export interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly volumes?: readonly {
      readonly name: string;
      readonly emptyDir?: unknown;
      readonly persistentVolumeClaim?: { readonly claimName: string };
    }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface PersistentVolume extends KubeObject {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
}

export interface VolumeAttachment extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string };
  };
  readonly status?: { readonly attached?: boolean };
}

const core = { group: "", version: "v1" } as const;

export const Nodes = resource<Node>({ ...core, kind: "Node", plural: "nodes", namespaced: false });
export const Pods = resource<Pod>({ ...core, kind: "Pod", plural: "pods" });
export const Namespaces = resource({ ...core, kind: "Namespace", plural: "namespaces", namespaced: false });
export const DaemonSets = resource({ group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets" });
export const PersistentVolumes = resource<PersistentVolume>({
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});
export const VolumeAttachments = resource<VolumeAttachment>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttachment",
  plural: "volumeattachments",
  namespaced: false,
});

export const isPodReady = ({ status }: Pod): boolean =>
  status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";

/** The kubelet has not been heard of: the Node's Ready condition is Unknown. */
export const isUnreachable = (node: Node): boolean =>
  node.status?.conditions?.find(({ type }) => type === "Ready")?.status === "Unknown";
