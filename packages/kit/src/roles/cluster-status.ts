import type { ConditionInput, ContractVersion, FailureDomain, MergePatch } from "@capstan/contract/wire";
import { infraCluster, mergePatches } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ClusterFacts, ClusterObservation } from "./author.ts";
import { provisionedCondition, ShellReason, stepReason } from "../engine/reasons.ts";
import type { Telling } from "../engine/stages.ts";
import { waitingConditions } from "../engine/waiting.ts";

const fields = infraCluster.for("v1beta2");
const olderFields = infraCluster.for("v1beta1");

export const isClusterProvisioned = (object: KubeObject): boolean =>
  fields.provisioned.get(object) === true || olderFields.provisioned.get(object) === true;

/** The flags of both contracts; never unset. */
export const clusterProvisionedPatch = (): MergePatch =>
  mergePatches(fields.provisioned.patch(true), olderFields.provisioned.patch(true));

/** In the older contract's map, domains that are gone have to be named to vanish. */
const domainsPatch = (object: KubeObject, domains: readonly FailureDomain[], contract: ContractVersion): MergePatch => {
  const field = infraCluster.for(contract).failureDomains;
  if (contract === "v1beta2") return field.patch(domains);
  const gone = (field.get(object) ?? []).filter((before) => domains.every((domain) => domain.name !== before.name));
  const removal = { status: { failureDomains: Object.fromEntries(gone.map(({ name }) => [name, null])) } };
  return mergePatches(removal, field.patch(domains));
};

/** The patch that records what is known about a cluster's infrastructure. An endpoint that is set is never changed. */
export const clusterFactsPatch = (object: KubeObject, facts: ClusterFacts, contract: ContractVersion): MergePatch =>
  mergePatches(
    facts.status === undefined ? undefined : { status: facts.status },
    facts.spec === undefined ? undefined : { spec: facts.spec },
    facts.endpoint === undefined || fields.endpoint.get(object) !== undefined
      ? undefined
      : fields.endpoint.patch(facts.endpoint),
    facts.failureDomains === undefined ? undefined : domainsPatch(object, facts.failureDomains, contract),
  );

/** Conditions of what was observed. `tell` puts the stage before messages. */
export const observedClusterConditions = (
  observation: Exclude<ClusterObservation, { readonly state: "absent" }>,
  provisioned: boolean,
  tell: (telling: Telling) => string = ({ message }) => message,
): readonly ConditionInput[] => {
  if (observation.state === "present") {
    return [
      { type: "Ready", status: "True", reason: "Ready" },
      { type: provisionedCondition, status: "True", reason: ShellReason.provisioned },
    ];
  }
  if (observation.state === "failed") {
    return waitingConditions(observation.reason, observation.message, provisioned, "Error");
  }
  const reason = observation.step === undefined ? observation.reason : stepReason(observation.step);
  const { message = "" } = observation;
  return waitingConditions(reason, tell({ ...observation, reason, message }), provisioned);
};
