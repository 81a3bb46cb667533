import { CapstanError, isCapstanError, rfc3339, type Clock } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { chooseContract, crdNameFor, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { knownRevisions, type RolloutRevision } from "@capstan/core";
import { MachineDeployment, MachineSet } from "@capstan/core/api";
import type { Client } from "@capstan/kube";
import { resource } from "@capstan/schema";
import type { RolloutTarget } from "./rollout-options.ts";

export interface RolloutEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly write: (line: string) => void;
}

type Named = Pick<RolloutTarget, "name" | "namespace">;

const failure = (code: string, reason: string, message: string): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" } });

const label = ({ metadata }: MachineDeployment): string => `machinedeployment/${metadata.name}`;

/** Throws `rollouts.not_found`. */
export const deploymentOf = async (
  { client, signal }: RolloutEnvironment,
  { name, namespace }: Named,
): Promise<MachineDeployment> => {
  const found = await client.find(MachineDeployment, { name, namespace }, { signal });
  if (found !== undefined) return found;
  throw failure(
    "rollouts.not_found",
    "NotFound",
    `there is no MachineDeployment ${name} in namespace ${namespace}; correct the name, or name its namespace with -n`,
  );
};

/** The MachineSets beside a deployment, of which some are its own. */
export const setsBeside = async (
  { client, signal }: RolloutEnvironment,
  { metadata }: MachineDeployment,
): Promise<readonly MachineSet[]> =>
  (await client.list(MachineSet, { namespace: metadata.namespace ?? "", signal })).items;

const attempts = 10;

/**
 * Reads the deployment and changes its spec as `decide` says, which may say nothing. Nobody else's change in between is
 * overwritten: what was decided on is read again.
 */
const changeSpec = async (
  environment: RolloutEnvironment,
  target: Named,
  decide: (deployment: MachineDeployment) => Promise<object | undefined>,
): Promise<MachineDeployment> => {
  const { client, signal } = environment;
  for (let attempt = 1; ; attempt++) {
    const deployment = await deploymentOf(environment, target);
    const spec = await decide(deployment);
    if (spec === undefined) return deployment;
    const body = { metadata: { resourceVersion: deployment.metadata.resourceVersion }, spec };
    try {
      const key = { name: target.name, namespace: target.namespace };
      return await client.patch(MachineDeployment, key, { type: "merge", body }, { signal });
    } catch (error) {
      if (!isCapstanError(error, "kube.conflict") || attempt === attempts) throw error;
    }
  }
};

const refusePaused = (deployment: MachineDeployment): void => {
  if (deployment.spec.paused !== true) return;
  const { name } = deployment.metadata;
  const message = `${label(deployment)} is paused and would roll out nothing; run capstan rollout resume machinedeployment/${name} first`;
  throw failure("rollouts.paused", "Paused", message);
};

const second = 1000;

/** A time that has come, and that is later than every set: what is made in the same second would count as new. */
const afterAll = async ({ clock, signal }: RolloutEnvironment, sets: readonly MachineSet[]): Promise<string> => {
  const newest = Math.max(...sets.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? "") || 0), 0);
  const wait = newest + second - clock.now();
  // A set from the future is one of another clock, for which nobody waits.
  if (wait > 0 && wait <= second) await clock.sleep(wait, { signal });
  return rfc3339(clock.now());
};

/** Throws `rollouts.paused`, `rollouts.scheduled`. */
export const restart = async (environment: RolloutEnvironment, target: Named): Promise<void> => {
  const deployment = await changeSpec(environment, target, async (found) => {
    refusePaused(found);
    const planned = found.spec.rollout?.after;
    if (planned !== undefined && Date.parse(planned) > environment.clock.now()) {
      throw failure(
        "rollouts.scheduled",
        "Scheduled",
        `${label(found)} is to be replaced at ${planned} already (spec.rollout.after); wait, or change that field`,
      );
    }
    return { rollout: { after: await afterAll(environment, await setsBeside(environment, found)) } };
  });
  environment.write(`${label(deployment)} restarted`);
};

const setPaused = async (environment: RolloutEnvironment, target: Named, paused: boolean): Promise<void> => {
  let changed = false;
  const deployment = await changeSpec(environment, target, async (found) => {
    changed = (found.spec.paused === true) !== paused;
    return changed ? { paused: paused ? true : null } : undefined;
  });
  const done = paused ? "paused" : "resumed";
  const already = paused ? "is paused already" : "is not paused";
  environment.write(`${label(deployment)} ${changed ? done : already}`);
};

export const pause = (environment: RolloutEnvironment, target: Named): Promise<void> =>
  setPaused(environment, target, true);

export const resume = (environment: RolloutEnvironment, target: Named): Promise<void> =>
  setPaused(environment, target, false);

/** The revisions that are known, from old to new. */
export const revisionsOf = async (
  environment: RolloutEnvironment,
  deployment: MachineDeployment,
): Promise<readonly RolloutRevision[]> => knownRevisions(deployment, await setsBeside(environment, deployment));

const chosenRevision = (
  deployment: MachineDeployment,
  revisions: readonly RolloutRevision[],
  wanted: number | undefined,
): RolloutRevision => {
  const chosen =
    wanted === undefined || wanted === 0 ? revisions.at(-2) : revisions.find(({ revision }) => revision === wanted);
  if (chosen !== undefined && chosen === revisions.at(-1)) {
    throw failure(
      "rollouts.nothing_to_undo",
      "NothingToUndo",
      `${label(deployment)} is at revision ${chosen.revision} already; choose an earlier one, or leave --to-revision out`,
    );
  }
  if (chosen !== undefined) return chosen;
  const known = revisions.map(({ revision }) => revision).join(", ");
  throw wanted === undefined || wanted === 0
    ? failure("rollouts.nothing_to_undo", "NothingToUndo", `${label(deployment)} has no earlier revision`)
    : failure(
        "rollouts.revision_unknown",
        "RevisionUnknown",
        `${label(deployment)} has no revision ${wanted}; there ${known === "" ? "are none" : `are ${known}`}`,
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
    `revision ${revision} was made from ${kind} ${namespace}/${name}, which does not exist any more; create it again, or choose another revision`,
  );
};

/** Throws `rollouts.paused`, `rollouts.nothing_to_undo`, `rollouts.revision_unknown`, `rollouts.template_missing`. */
export const undo = async (
  environment: RolloutEnvironment,
  target: Named & { readonly toRevision: number | undefined },
): Promise<void> => {
  let to = 0;
  const deployment = await changeSpec(environment, target, async (found) => {
    refusePaused(found);
    const { revision, template } = chosenRevision(found, await revisionsOf(environment, found), target.toRevision);
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
    return { template: { spec } };
  });
  environment.write(`${label(deployment)} returns to revision ${to}`);
};

/** A read that failed for a while is not a reason to stop following a rollout. */
export const isPassing = (error: unknown): boolean =>
  ["kube.unavailable", "kube.timeout", "kube.too_many_requests"].some((code) => isCapstanError(error, code));
