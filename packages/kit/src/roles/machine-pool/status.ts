import type { MergePatch } from "@capstan/contract/wire";
import { infraMachinePool, mergePatches } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Provision } from "../../engine/object-author.ts";
import type { PoolFacts } from "./author.ts";

const fields = infraMachinePool.for("v1beta2");
const olderFields = infraMachinePool.for("v1beta1");

export const isPoolProvisioned = (object: KubeObject): boolean =>
  fields.provisioned.get(object) === true || olderFields.provisioned.get(object) === true;

/** The flags of both contracts; never unset. A pool that vanished is made again: its machines are replaced then. */
export const poolProvision: Provision<KubeObject, PoolFacts> = {
  is: isPoolProvisioned,
  patch: () => mergePatches(fields.provisioned.patch(true), olderFields.provisioned.patch(true)),
  message: (_object, { members }) => `provisioned with ${members.length} machines`,
};

/** The patch that records what is known about a pool. */
export const poolFactsPatch = (
  _object: KubeObject,
  { members, spec, status }: PoolFacts,
  { deleting, machineKind }: { readonly deleting: boolean; readonly machineKind: Resource | undefined },
): MergePatch => {
  const present = members.filter(({ leaving }) => leaving !== true);
  return mergePatches(
    status === undefined ? undefined : { status },
    fields.replicas.patch(present.length),
    machineKind === undefined ? undefined : fields.machineKind.patch(machineKind.kind),
    deleting ? undefined : fields.providerIDList.patch(present.map(({ providerID }) => providerID)),
    deleting || spec === undefined ? undefined : { spec },
  );
};
