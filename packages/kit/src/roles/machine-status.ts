import { CapstanError } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { describeObject, infraMachine, mergePatches } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Provision } from "../engine/object-author.ts";
import type { Conditions } from "../engine/conditions.ts";
import { standardConditions } from "../engine/conditions.ts";
import type { MachineFacts } from "./infra-machine-author.ts";
import { provisionedMilestone, RoleReason } from "./reasons.ts";

const fields = infraMachine.for("v1beta2");
const olderFields = infraMachine.for("v1beta1");

const isProvisioned = (object: KubeObject): boolean =>
  fields.provisioned.get(object) === true || olderFields.provisioned.get(object) === true;

/** Whether a server was made for this object once: another one is never made. */
export const wasCreated = (object: KubeObject): boolean =>
  fields.providerID.get(object) !== undefined || isProvisioned(object);

const providerIDOf = (object: KubeObject, facts: MachineFacts): string | undefined =>
  facts.providerID ?? fields.providerID.get(object);

/** The flags of both contracts; never unset. Without a provider id nothing is provisioned. */
export const machineProvision: Provision<KubeObject, MachineFacts> = {
  is: isProvisioned,
  wasCreated,
  waits: (object, facts) =>
    providerIDOf(object, facts) === undefined
      ? { reason: RoleReason.waitingForProviderID, message: "the server is there but has no provider id yet" }
      : undefined,
  patch: () => mergePatches(fields.provisioned.patch(true), olderFields.provisioned.patch(true)),
  message: (object, facts) => `provisioned as ${providerIDOf(object, facts)}`,
};

export const machineConditions: Conditions = (verdict, { changes }) =>
  standardConditions(verdict, isProvisioned(changes.object), provisionedMilestone);

/** The patch that records what is known about a server. `status` only, while the object is being deleted. */
export const factsPatch = (
  object: KubeObject,
  facts: MachineFacts,
  { deleting }: { readonly deleting: boolean },
): MergePatch => {
  const status = mergePatches(
    facts.status === undefined ? undefined : { status: facts.status },
    facts.addresses === undefined ? undefined : fields.addresses.patch(facts.addresses),
    facts.failureDomain === undefined ? undefined : fields.failureDomain.patch(facts.failureDomain),
    facts.interruptible === undefined ? undefined : fields.interruptible.patch(facts.interruptible),
  );
  if (deleting) return status;
  const known = fields.providerID.get(object);
  if (known !== undefined && facts.providerID !== undefined && known !== facts.providerID) {
    throw new CapstanError({
      code: "machine.provider_id_changed",
      reason: "ProviderIDChanged",
      message: `${describeObject(object)}: spec.providerID is ${known}, but the server found for it is ${facts.providerID}; delete the server that is not wanted`,
      retry: { kind: "never" },
    });
  }
  return mergePatches(
    status,
    facts.providerID === undefined ? undefined : fields.providerID.patch(facts.providerID),
    facts.spec === undefined ? undefined : { spec: facts.spec },
  );
};
