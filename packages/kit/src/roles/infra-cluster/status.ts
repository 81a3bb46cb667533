import type { ContractVersion, FailureDomain, MergePatch } from "@capstan/contract/wire";
import { infraCluster, mergePatches } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Provision } from "../../engine/object-author.ts";
import type { Conditions } from "../../engine/conditions.ts";
import { standardConditions } from "../../engine/conditions.ts";
import type { ClusterFacts } from "./author.ts";
import { provisionedMilestone } from "../reasons.ts";

const fields = infraCluster.for("v1beta2");
const olderFields = infraCluster.for("v1beta1");

/** By the flag of either contract. */
export const isClusterProvisioned = (object: KubeObject): boolean =>
  fields.provisioned.get(object) === true || olderFields.provisioned.get(object) === true;

/** The flags of both contracts; never unset. */
export const clusterProvision: Provision<KubeObject, ClusterFacts> = {
  is: isClusterProvisioned,
  patch: () => mergePatches(fields.provisioned.patch(true), olderFields.provisioned.patch(true)),
  message: () => "the cluster's infrastructure is provisioned",
};

export const clusterConditions: Conditions = (verdict, { changes }) =>
  standardConditions(verdict, isClusterProvisioned(changes.object), provisionedMilestone);

/** In the older contract's map, domains that are gone have to be named to vanish. */
const domainsPatch = (object: KubeObject, domains: readonly FailureDomain[], contract: ContractVersion): MergePatch => {
  const field = infraCluster.for(contract).failureDomains;
  if (contract === "v1beta2") return field.patch(domains);
  const gone = (field.get(object) ?? []).filter((before) => domains.every((domain) => domain.name !== before.name));
  const removal = { status: { failureDomains: Object.fromEntries(gone.map(({ name }) => [name, null])) } };
  return mergePatches(removal, field.patch(domains));
};

/**
 * The patch that records what is known about a cluster's infrastructure. An endpoint that is set is never changed. `status` only, while
 * the object is being deleted.
 */
export const clusterFactsPatch = (
  object: KubeObject,
  { endpoint, failureDomains, spec, status }: ClusterFacts,
  { contract, deleting }: { readonly contract: ContractVersion; readonly deleting: boolean },
): MergePatch => {
  const patch = mergePatches(
    status && { status },
    failureDomains === undefined ? undefined : domainsPatch(object, failureDomains, contract),
  );
  if (deleting) return patch;
  const isGiven = endpoint === undefined || fields.endpoint.get(object) !== undefined;
  return mergePatches(patch, spec && { spec }, isGiven ? undefined : fields.endpoint.patch(endpoint));
};
