import { infraMachine } from "@capstan/contract/wire";
import { withSpec, withStatus } from "@capstan/kit/machines";
import type { WorkloadCluster } from "@capstan/kit/workload";
import { keyOf, keyText } from "@capstan/kube-values";
import { Machine } from "../api.ts";
import { byCluster } from "../object/indexes.ts";
import { ownNodes } from "./own-nodes.ts";
import type { MachineScope } from "./scope.ts";
import { found } from "./scope.ts";
import type { Node } from "../object/workload-kinds.ts";

/**
 * Keeps the infrastructure's facts about a machine that was never provisioned: once it is gone, nothing else identifies
 * its Node.
 */
const keepFacts = (scope: MachineScope): void => {
  const external = found(scope.infrastructure);
  if (external === undefined) return;
  const fields = infraMachine.for(external.contract);
  const providerID = scope.machine.spec.providerID ?? fields.providerID.get(external.object);
  if (providerID !== undefined && providerID !== "") scope.machine = withSpec(scope.machine, { providerID });
  const addresses = scope.machine.status?.addresses ?? fields.addresses.get(external.object);
  if (addresses !== undefined) scope.machine = withStatus(scope.machine, { addresses });
};

const addressesOf = ({ status }: Machine): readonly string[] => (status?.addresses ?? []).map(({ address }) => address);

/** Nodes of a Machine for which none is recorded. An address that another Machine reports as well does not tell: it may have been reused. */
export const unrecordedNodes = (scope: MachineScope, connection: WorkloadCluster | undefined): readonly Node[] => {
  const { cluster, context, machine } = scope;
  if (machine.status?.nodeRef !== undefined || connection === undefined) return [];
  const others = context.cache
    .byIndex(Machine, byCluster, keyText(keyOf(cluster)))
    .filter(({ metadata }) => metadata.uid !== machine.metadata.uid);
  const reused = new Set(others.flatMap(addressesOf));
  return ownNodes(connection.nodes.list(), {
    providerID: machine.spec.providerID,
    addresses: addressesOf(machine).filter((address) => !reused.has(address)),
    others: new Set(others.flatMap(({ status }) => status?.nodeRef?.name ?? [])),
  });
};

/** A Machine that never got its Node recorded may have one all the same. Of several it may be neither. */
export const lookForNode = (scope: MachineScope, connection: WorkloadCluster | undefined): void => {
  keepFacts(scope);
  const [node, ...others] = unrecordedNodes(scope, connection);
  if (node === undefined || others.length > 0) return;
  scope.machine = withStatus(scope.machine, { nodeRef: { name: node.metadata.name ?? "" } });
};
