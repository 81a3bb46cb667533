import type { Distribution } from "@capstan/bootstrap-rke2-k3s/render";
import { NodeResource } from "@capstan/contract/wire";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import type { KubeObject } from "@capstan/schema";
import { etcdPrefix } from "../distribution/distribution.ts";

interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** Facts of a server from its Node. */
export interface Server {
  readonly node: KubeObject;
  readonly ready: NodeCondition | undefined;
  /** Its member of etcd; absent when it says nothing of one. */
  readonly member?: {
    readonly name: string;
    /** `false` while it learns. */
    readonly votes: boolean;
    /** Someone wants it removed. */
    readonly leaves: boolean;
    readonly removed: boolean;
  };
}

/** By the names of their Nodes. */
export type Servers = ReadonlyMap<string, Server>;

const conditionsOf = ({ status }: KubeObject & { readonly status?: unknown }): readonly NodeCondition[] =>
  (status as { readonly conditions?: readonly NodeCondition[] } | undefined)?.conditions ?? [];

const serverOf = (node: KubeObject, prefix: string): Server => {
  const conditions = conditionsOf(node);
  const { annotations = {} } = node.metadata;
  const name = annotations[`${prefix}/node-name`];
  return {
    node,
    ready: conditions.find(({ type }) => type === "Ready"),
    ...(name !== undefined && {
      member: {
        name,
        votes: conditions.find(({ type }) => type === "EtcdIsVoter")?.status !== "False",
        leaves: annotations[`${prefix}/remove`] === "true",
        removed: annotations[`${prefix}/removed-node-name`] === name,
      },
    }),
  };
};

/** Reads the Nodes of the servers, which say how their members of etcd are. */
export const readServers = async <O extends KubeObject>(
  context: ControlPlaneContext<O>,
  distribution: Distribution,
): Promise<Servers> => {
  const client = await context.workload();
  const labelSelector = "node-role.kubernetes.io/control-plane";
  const { items } = await client.list(NodeResource, { labelSelector, ...context.call });
  return new Map(items.map((node) => [node.metadata.name ?? "", serverOf(node, etcdPrefix(distribution))]));
};

export const isReady = (server: Server | undefined): boolean => server?.ready?.status === "True";
