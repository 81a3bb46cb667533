import type { WorkloadCluster } from "@capstan/kit/workload";
import { nodeByProviderID } from "@capstan/kit/workload";
import { allAtOnce, withStatus } from "@capstan/kit/machines";
import { byText, isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { sameJson } from "@capstan/schema";
import { nodePatch } from "../machine/node-sync.ts";
import type { Node } from "../object/workload-kinds.ts";
import { Nodes } from "../object/workload-kinds.ts";
import { asMachine } from "./pool-machine.ts";
import type { MachinePoolScope } from "./scope.ts";

/** The Nodes of the pool's provider ids, in the order of the ids. */
const nodesOf = ({ pool }: MachinePoolScope, { nodes }: WorkloadCluster): readonly Node[] =>
  (pool.spec.providerIDList ?? []).flatMap((id) => {
    const found: readonly Node[] = nodes.byIndex(nodeByProviderID, id);
    return found.toSorted((a, b) => byText(a.metadata.name ?? "", b.metadata.name ?? "")).slice(0, 1);
  });

const referenceOf = ({ metadata: { name = "", uid = "" } }: Node) => ({ apiVersion: "v1", kind: "Node", name, uid });

/** Brings what the pool says about its Nodes to them, where they have no Machines that do. */
const syncNodes = async (scope: MachinePoolScope, { client }: WorkloadCluster): Promise<void> => {
  const machine = asMachine(scope.pool);
  const sync = async (node: Node): Promise<void> => {
    const options = scope.options.nodeSync;
    const body = nodePatch({ node, machine, interruptible: false, outdated: undefined, options });
    if (body === undefined) return;
    await client.patch(Nodes, { name: node.metadata.name ?? "" }, { type: "merge", body });
  };
  await allAtOnce(scope.nodes ?? [], sync, scope.context.log);
};

/** Deletes Nodes that were the pool's, and whose machines it has no more. Where there are Machines, they take their Nodes along. */
const retireNodes = async (scope: MachinePoolScope, { client, nodes }: WorkloadCluster): Promise<void> => {
  const { pool } = scope;
  const ids = new Set(pool.spec.providerIDList);
  const retired = (pool.status?.nodeRefs ?? []).flatMap(({ name, uid }) => {
    const node: Node | undefined = nodes.get({ name: name ?? "" });
    const id = node?.spec?.providerID;
    return node === undefined || id === undefined || ids.has(id) || node.metadata.uid !== uid ? [] : [node];
  });
  await allAtOnce(retired, (node) => client.delete(Nodes, { name: node.metadata.name ?? "" }), scope.context.log);
};

/** Finds the Nodes of the pool, records them, and brings what the pool says to them. */
export const reconcileNodes = async (scope: MachinePoolScope): Promise<Result> => {
  const { cluster, pool } = scope;
  if (cluster.status?.initialization?.infrastructureProvisioned !== true || isBeingDeleted(pool)) return {};
  if (pool.status?.initialization?.infrastructureProvisioned !== true) return {};
  const connection = scope.workload.connection(keyOf(cluster));
  if (connection === undefined) return {};
  const nodes = nodesOf(scope, connection);
  scope.nodes = nodes;
  if (scope.machineKind === undefined && scope.infrastructure.state === "found") {
    await retireNodes(scope, connection);
    await syncNodes(scope, connection);
  }
  const nodeRefs = nodes.map(referenceOf);
  const before = pool.status.nodeRefs;
  if (!sameJson(nodeRefs, before ?? [])) {
    scope.pool = withStatus(scope.pool, { nodeRefs: nodeRefs.length === 0 ? undefined : nodeRefs });
  }
  return {};
};
