import { CapstanError } from "@capstan/contract";
import type { Condition, ConditionInput, MergePatch } from "@capstan/contract/wire";
import { ConditionReason, ConditionType, describeObject, infraMachine, mergePatches } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Provision } from "../../engine/object-author.ts";
import type { Conditions } from "../../engine/conditions.ts";
import { standardConditions } from "../../engine/conditions.ts";
import type { ObjectChanges } from "../../engine/save/object-changes.ts";
import { OlderReportReason } from "../../report/reasons.ts";
import type { MachineFacts } from "./author.ts";
import { provisionedMilestone, RoleReason } from "../reasons.ts";

const fields = infraMachine.for("v1beta2");
const olderFields = infraMachine.for("v1beta1");

/** Returns whether the server was as it should be at some time. */
export const wasProvisioned = (object: KubeObject): boolean =>
  fields.provisioned.get(object) === true || olderFields.provisioned.get(object) === true;

/** Returns whether a server was made for this object once: another one is never made. */
export const wasCreated = (object: KubeObject): boolean =>
  fields.providerID.get(object) !== undefined || wasProvisioned(object);

const providerIDOf = (object: KubeObject, facts: MachineFacts): string | undefined =>
  facts.providerID ?? fields.providerID.get(object);

/** Returns BootstrapSucceeded with its `v1beta2` reason. */
export const bootstrapCondition = ({ conditionOf }: Pick<ObjectChanges<KubeObject>, "conditionOf">) =>
  conditionOf(ConditionType.bootstrapSucceeded);

/** Returns whether bootstrapping failed, or was not over in its time. */
const isUnbootstrapped = (bootstrap: Pick<Condition, "status"> | undefined): boolean => bootstrap?.status === "False";

/** The flags of both contracts: today's is never unset, the older one says whether the server is of use now. */
const flags = (ready: boolean): MergePatch =>
  mergePatches(fields.provisioned.patch(true), olderFields.provisioned.patch(ready));

/** Without a provider id nothing is provisioned. */
export const machineProvision: Provision<KubeObject, MachineFacts> = {
  is: wasProvisioned,
  wasCreated,
  waits: (object, facts) =>
    providerIDOf(object, facts) === undefined
      ? { reason: RoleReason.waitingForProviderID, message: "the server exists but has no provider ID yet" }
      : undefined,
  patch: (changes) => flags(!isUnbootstrapped(bootstrapCondition(changes))),
  broken: ({ object }) => (wasProvisioned(object) ? flags(false) : {}),
};

/** A server whose bootstrapping failed is there, and of no use. */
const unbootstrapped = (message: string): ConditionInput => ({
  type: ConditionType.ready,
  status: "False",
  reason: OlderReportReason.failed,
  message,
  severity: "Error",
});

export const machineConditions: Conditions = (verdict, { changes }) => {
  const bootstrap = bootstrapCondition(changes);
  if (verdict.ready && isUnbootstrapped(bootstrap)) {
    return [unbootstrapped(bootstrap?.message ?? ""), { ...provisionedMilestone, status: "True" }];
  }
  return standardConditions(verdict, wasProvisioned(changes.object), provisionedMilestone);
};

/** Says of a server that is there what a new verdict on its bootstrapping means for it. */
export const noteBootstrapped = (
  changes: ObjectChanges<KubeObject>,
  { message = "", status }: Pick<ConditionInput, "message" | "status">,
): void => {
  const was = isUnbootstrapped(bootstrapCondition(changes));
  const is = isUnbootstrapped({ status });
  if (!was && !is) return;
  const ready: ConditionInput = { type: ConditionType.ready, status: "True", reason: ConditionReason.ready };
  changes.condition(is ? unbootstrapped(message) : ready);
  changes.mergeField(flags(!is));
};

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
      message: `${describeObject(object)}: spec.providerID is ${known}, but the server found is ${facts.providerID}; delete the wrong server`,
      retry: { kind: "never" },
    });
  }
  return mergePatches(
    status,
    facts.providerID === undefined ? undefined : fields.providerID.patch(facts.providerID),
    facts.spec === undefined ? undefined : { spec: facts.spec },
  );
};
