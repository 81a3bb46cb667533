import { CapstanError } from "@capstan/contract";
import type { ConditionInput, MergePatch } from "@capstan/contract/wire";
import { describeObject, infraMachine, mergePatches } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { MachineFacts, MachineObservation } from "./author.ts";
import { provisionedCondition, ShellReason, stepReason } from "../engine/reasons.ts";
import type { Telling } from "../engine/stages.ts";
import { waitingConditions } from "../engine/waiting.ts";

const fields = infraMachine.for("v1beta2");
const olderFields = infraMachine.for("v1beta1");

/** Whether a server was made for this object once: another one is never made. */
export const wasCreated = (object: KubeObject): boolean =>
  fields.providerID.get(object) !== undefined || isProvisioned(object);

export const isProvisioned = (object: KubeObject): boolean =>
  fields.provisioned.get(object) === true || olderFields.provisioned.get(object) === true;

/** The patch that records what is known about a server. `status` only, while the object is being deleted. */
export const factsPatch = (object: KubeObject, facts: MachineFacts, deleting = false): MergePatch => {
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

/** The flags of both contracts; never unset. Without a provider id nothing is provisioned. */
export const provisionedPatch = (): MergePatch =>
  mergePatches(fields.provisioned.patch(true), olderFields.provisioned.patch(true));

/** What conditions say of a server on its way out when nobody knows more. */
export const beingDeleted = "the server is being deleted";

/** Conditions of what was observed. `tell` puts the stage before messages. */
export const observedConditions = (
  observation: Exclude<MachineObservation, { readonly state: "absent" }>,
  provisioned: boolean,
  tell: (telling: Telling) => string = ({ message }) => message,
): readonly ConditionInput[] => {
  if (observation.state === "present") {
    return [
      { type: "Ready", status: "True", reason: "Ready" },
      { type: provisionedCondition, status: "True", reason: ShellReason.provisioned },
    ];
  }
  const { message = "" } = observation;
  if (observation.state === "pending") {
    const reason = observation.step === undefined ? observation.reason : stepReason(observation.step);
    return waitingConditions(reason, tell({ ...observation, reason, message }), provisioned);
  }
  if (observation.state === "failed") {
    return waitingConditions(observation.reason, message, provisioned, "Error");
  }
  const { reason = ShellReason.deleting } = observation;
  const said = message === "" ? beingDeleted : message;
  return waitingConditions(reason, tell({ ...observation, reason, message: said }), provisioned, "Warning");
};
