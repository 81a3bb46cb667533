import { Annotation, Finalizer, isCapstanError, Label } from "@capstan/contract";
import { controllerOf, ownerReference, withOwnerReference } from "@capstan/contract/wire";
import type { Reconcile, Result } from "@capstan/runtime";
import { Cluster, Machine, MachineSet } from "../api.ts";
import { defaultMachineSet } from "../defaults/defaults.ts";
import type { ExternalObject } from "@capstan/kit/external";
import { boundContext } from "../object/bound-client.ts";
import { keyOf, learn, saveMain, saveStatus } from "../object/draft.ts";
import { clusterOf, isDeleted, isFinished, keepPaused, withFinalizer, withoutFinalizer } from "../object/lifecycle.ts";
import { ownedByCluster } from "../object/owners.ts";
import { runSteps, throwFirst } from "../object/steps.ts";
import { selectorText } from "../object/selector.ts";
import { cachedCandidates, candidates, claimMachines } from "./claim.ts";
import { createMachine, readTemplates } from "./create.ts";
import { deleteLeftovers, findLeftovers, reusableNames } from "./leftovers.ts";
import type { ScalePlan } from "./scale-plan.ts";
import { planScale } from "./scale-plan.ts";
import type { MachineSetScope, MachineSetServices } from "./scope.ts";
import { machineSetStatus } from "./status.ts";
import { syncMachines } from "./sync.ts";
import { CoreErrorCode } from "../errors.ts";

/** A set that no deployment manages belongs to its Cluster. */
const withStandAloneOwner = (set: MachineSet, cluster: Cluster): MachineSet =>
  set.metadata.labels?.[Label.deploymentName] !== undefined || controllerOf(set) !== undefined
    ? set
    : ownedByCluster(set, cluster);

/** Templates belong to the Cluster, so that they go and move with it. */
const ownTemplate = async ({ context, cluster }: MachineSetScope, template: ExternalObject): Promise<void> => {
  const { object, resource } = template;
  const before = object.metadata.ownerReferences ?? [];
  const ownerReferences = withOwnerReference(before, ownerReference(Cluster, cluster));
  if (ownerReferences === before) return;
  const { resourceVersion } = object.metadata;
  await context.client.patch(resource, keyOf(object), {
    type: "merge",
    body: { metadata: { resourceVersion, ownerReferences } },
  });
};

const plan = (scope: MachineSetScope): ScalePlan =>
  planScale({
    desired: scope.set.spec.replicas ?? 1,
    machines: scope.machines,
    order: scope.set.spec.deletion?.order ?? "Random",
    now: scope.context.clock.now(),
  });

/**
 * Looks at the API server itself before anything is made: however old the cache is, no Machine is made twice.
 */
const planLive = async (scope: MachineSetScope): Promise<ScalePlan> => {
  const { context, set } = scope;
  const { items } = await context.client.list(Machine, {
    namespace: set.metadata.namespace ?? "",
    labelSelector: selectorText(set.spec.selector),
  });
  learn(context.cache, Machine, items);
  scope.machines = await claimMachines(context, set, candidates(set, items));
  return plan(scope);
};

const warn = (scope: MachineSetScope, reason: string, error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error);
  scope.context.events.event(scope.set, { type: "Warning", reason, message });
};

const scaleUp = async (scope: MachineSetScope): Promise<void> => {
  const { context, set } = scope;
  if (set.metadata.annotations?.[Annotation.disableMachineCreate] === "true") {
    scope.blockers = [`annotation ${Annotation.disableMachineCreate} is set`];
    return;
  }
  try {
    const templates = await readTemplates(scope);
    const live = await planLive(scope);
    const names = live.action === "create" ? reusableNames(await findLeftovers(scope)) : [];
    for (let made = 0; live.action === "create" && made < live.count; made++) {
      const machine = await createMachine(scope, templates, names[made]);
      scope.machines = [...scope.machines, machine];
      const message = `Created Machine ${machine.metadata.name}`;
      context.events.event(set, { type: "Normal", reason: "SuccessfulCreate", message });
    }
  } catch (error) {
    if (isCapstanError(error)) scope.blockers = [error.message];
    warn(scope, "FailedCreate", error);
    throw error;
  }
};

const deleteMachines = async (scope: MachineSetScope, machines: readonly Machine[]): Promise<void> => {
  const errors: unknown[] = [];
  for (const machine of machines) {
    try {
      const { uid } = machine.metadata;
      await scope.context.client.delete(Machine, keyOf(machine), uid === undefined ? {} : { preconditions: { uid } });
      const message = `Deleted Machine ${machine.metadata.name}`;
      scope.context.events.event(scope.set, { type: "Normal", reason: "SuccessfulDelete", message });
    } catch (error) {
      warn(scope, "FailedDelete", error);
      errors.push(error);
    }
  }
  throwFirst(errors, scope.context.log);
};

const reconcileTemplates = async (scope: MachineSetScope): Promise<Result> => {
  try {
    const { bootstrap, infrastructure } = await readTemplates(scope);
    if (bootstrap !== undefined) await ownTemplate(scope, bootstrap);
    await ownTemplate(scope, infrastructure);
  } catch (error) {
    if (!isCapstanError(error, CoreErrorCode.templateMissing)) throw error;
    scope.blockers = [error.message];
  }
  return {};
};

const reconcileReplicas = async (scope: MachineSetScope): Promise<Result> => {
  const wish = plan(scope);
  if (wish.action === "create") await scaleUp(scope);
  if (wish.action === "delete") await deleteMachines(scope, wish.machines);
  return {};
};

/** Clones without a Machine are kept for as long as Machines are still to be made from them. */
const cleanUp = async (scope: MachineSetScope): Promise<Result> => {
  const leftovers = await findLeftovers(scope);
  const scalesUp = !isDeleted(scope.set) && plan(scope).action === "create";
  const names = scalesUp ? reusableNames(leftovers) : [];
  await deleteLeftovers(scope, leftovers, (name) => names.includes(name));
  return {};
};

const reconcileDelete = async (scope: MachineSetScope): Promise<Result> => {
  const leaving = scope.machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (scope.machines.length === 0) scope.set = withoutFinalizer(scope.set, Finalizer.machineSet);
  else await deleteMachines(scope, leaving);
  return {};
};

/** Keeps the wished number of Machines: makes, adopts, deletes and brings up to date what can be changed in place. */
export const reconcileMachineSet =
  (services: MachineSetServices): Reconcile =>
  async (request, original) => {
    const context = boundContext(original);
    const stored = context.cache.get(MachineSet, request);
    if (stored === undefined || isFinished(stored, Finalizer.machineSet)) return {};
    const prepared = defaultMachineSet(withFinalizer(stored, Finalizer.machineSet));
    const finalized = await saveMain(context, MachineSet, stored, prepared);
    const cluster = await clusterOf(context, MachineSet, finalized, undefined);
    if (await keepPaused(context, MachineSet, finalized, cluster)) return {};
    const base = await saveMain(context, MachineSet, finalized, withStandAloneOwner(finalized, cluster));
    const machines = await claimMachines(context, base, cachedCandidates(context, base));
    const scope: MachineSetScope = { ...services, context, cluster, set: base, machines, blockers: [] };
    const deleting = isDeleted(base);
    const sync = async (): Promise<Result> => {
      await syncMachines(scope);
      return {};
    };
    const { errors } = await runSteps(
      deleting
        ? [sync, () => cleanUp(scope), () => reconcileDelete(scope)]
        : [() => reconcileTemplates(scope), sync, () => cleanUp(scope), () => reconcileReplicas(scope)],
      context.signal,
    );
    scope.set = await saveMain(context, MachineSet, base, scope.set);
    if (isFinished(scope.set, Finalizer.machineSet)) return {};
    await saveStatus(context, MachineSet, base, machineSetStatus(scope, { failed: errors.length > 0 }));
    throwFirst(errors, context.log);
    return {};
  };
