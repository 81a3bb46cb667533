import type { ContractReference } from "@capstan/contract/wire";
import { chooseContract, crdNameFor, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { knownRevisions, type RolloutRevision } from "@capstan/core";
import type { MachineDeployment } from "@capstan/core/api";
import { resource } from "@capstan/schema";
import { changeSubject, refusePaused } from "./rollout-actions.ts";
import { failure, labelOf, setsBeside, type Placed, type RolloutEnvironment } from "./rollout-subjects.ts";

/** The revisions that are known, from old to new. */
export const revisionsOf = async (
  environment: RolloutEnvironment,
  deployment: MachineDeployment,
): Promise<readonly RolloutRevision[]> => knownRevisions(deployment, await setsBeside(environment, deployment));

const chosenRevision = (
  label: string,
  revisions: readonly RolloutRevision[],
  wanted: number | undefined,
): RolloutRevision => {
  const chosen =
    wanted === undefined || wanted === 0 ? revisions.at(-2) : revisions.find(({ revision }) => revision === wanted);
  if (chosen !== undefined && chosen === revisions.at(-1)) {
    throw failure(
      "rollouts.nothing_to_undo",
      "NothingToUndo",
      `${label} is already at revision ${chosen.revision}; choose an earlier one, or omit --to-revision`,
    );
  }
  if (chosen !== undefined) return chosen;
  const known = revisions.map(({ revision }) => revision).join(", ");
  const kept = `${revisions.length === 1 ? "revision" : "revisions"} ${known}`;
  throw wanted === undefined || wanted === 0
    ? failure("rollouts.nothing_to_undo", "NothingToUndo", `${label} has no earlier revision`)
    : failure(
        "rollouts.revision_unknown",
        "RevisionUnknown",
        `${label} has no revision ${wanted}; ${known === "" ? "none are kept" : `it has ${kept}`}`,
      );
};

/** Throws `rollouts.template_missing` when a template that the revision was made from is gone. */
const checkTemplate = async (
  { client, signal }: RolloutEnvironment,
  namespace: string,
  revision: number,
  reference: ContractReference | undefined,
): Promise<void> => {
  if (reference === undefined) return;
  const { apiGroup: group, kind, name } = reference;
  const crdName = crdNameFor(group, kind);
  const crd = await client.find(CustomResourceDefinitionResource, { name: crdName }, { signal });
  const plural = crdName.slice(0, crdName.indexOf("."));
  const version = crd === undefined ? undefined : chooseContract(crdName, crd.metadata.labels ?? {}).version;
  const found =
    version === undefined
      ? undefined
      : await client.find(resource({ group, version, kind, plural }), { name, namespace }, { signal });
  if (found !== undefined) return;
  throw failure(
    "rollouts.template_missing",
    "TemplateMissing",
    `revision ${revision} uses ${kind} ${namespace}/${name}, which no longer exists; recreate it, or choose another revision`,
  );
};

/** Throws `rollouts.paused`, `rollouts.nothing_to_undo`, `rollouts.revision_unknown`, `rollouts.template_missing`. */
export const undo = async (
  environment: RolloutEnvironment,
  target: Placed & { readonly toRevision: number | undefined },
): Promise<void> => {
  let to = 0;
  await changeSubject(environment, target, async (found) => {
    refusePaused(target, found);
    const revisions = await revisionsOf(environment, found as MachineDeployment);
    const { revision, template } = chosenRevision(labelOf(target), revisions, target.toRevision);
    const { bootstrap, infrastructureRef } = template;
    await checkTemplate(environment, target.namespace, revision, bootstrap.configRef);
    await checkTemplate(environment, target.namespace, revision, infrastructureRef);
    to = revision;
    const spec = {
      version: template.version ?? null,
      failureDomain: template.failureDomain ?? null,
      bootstrap: { configRef: bootstrap.configRef ?? null, dataSecretName: bootstrap.dataSecretName ?? null },
      infrastructureRef,
    };
    return { spec: { template: { spec } } };
  });
  environment.write(`${labelOf(target)} rolled back to revision ${to}`);
};
