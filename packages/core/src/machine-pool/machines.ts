import { FieldManager, Label } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import type { ExternalKind, Machine, MachineMaker, Making } from "@capstan/kit/machines";
import {
  allAtOnce,
  claimMachines,
  deleteMachines,
  listLive,
  Machines,
  makeMachine,
  syncMachines,
} from "@capstan/kit/machines";
import { isBeingDeleted, keyOf, nameAsLabel } from "@capstan/kube-values";
import type { ReconcileContext, Result } from "@capstan/runtime";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { MachinePool } from "../api.ts";
import { byController, orphanKey } from "../object/indexes.ts";
import type { MachinePoolScope } from "./scope.ts";

const labelsOf = ({ metadata, spec }: MachinePool): Readonly<Record<string, string>> => ({
  ...spec.template.metadata?.labels,
  [Label.poolName]: nameAsLabel(metadata.name ?? ""),
  [Label.clusterName]: spec.clusterName,
});

/** A pool, as the maker of its Machines: they are of the infrastructure machines that are there. */
const makerOf = (pool: MachinePool): MachineMaker => ({
  kind: MachinePool,
  object: pool,
  clusterName: pool.spec.clusterName,
  labels: labelsOf(pool),
  annotations: pool.spec.template.metadata?.annotations ?? {},
  settings: pool.spec.template.spec,
  mark: Label.poolName,
  fieldManager: FieldManager.machinePool,
});

export const makingOf = ({ context, externals, pool }: MachinePoolScope): Making => ({
  context,
  externals,
  maker: makerOf(pool),
});

/** Machines that are a pool's, or could become its own, as the cache shows them. */
export const cachedMachines = ({ cache }: ReconcileContext, pool: MachinePool): readonly Machine[] => {
  const label = nameAsLabel(pool.metadata.name ?? "");
  const orphans = cache.byIndex(Machines, byController, orphanKey(pool));
  return [
    ...cache.byIndex(Machines, byController, pool.metadata.uid ?? ""),
    ...orphans.filter(({ metadata }) => metadata.labels?.[Label.poolName] === label),
  ];
};

/** The infrastructure machines of a pool. */
const infraMachines = (scope: MachinePoolScope, { resource }: ExternalKind): readonly KubeObject[] => {
  const { context, pool } = scope;
  const { namespace = "" } = pool.metadata;
  const label = nameAsLabel(pool.metadata.name ?? "");
  return context.cache
    .list(resource, { namespace })
    .filter(
      ({ metadata }) =>
        metadata.labels?.[Label.poolName] === label && metadata.labels[Label.clusterName] === pool.spec.clusterName,
    );
};

/** A Machine for every infrastructure machine that has none, under the same name. */
const makeMachines = async (scope: MachinePoolScope, kind: ExternalKind): Promise<void> => {
  const { context, pool } = scope;
  const known = new Set(scope.machines.map(({ metadata }) => metadata.name));
  const missing = infraMachines(scope, kind).filter(
    (machine) => !isBeingDeleted(machine) && !known.has(machine.metadata.name) && !isOfOther(machine),
  );
  if (missing.length === 0) return;
  // However old the cache is, no Machine is made for what one has been made for.
  const { namespace } = pool.metadata;
  const selector = { matchLabels: { [Label.poolName]: nameAsLabel(pool.metadata.name ?? "") } };
  const present = await listLive(context, Machines, { namespace, selector });
  const taken = new Set(present.map(({ metadata }) => metadata.name));
  const type = { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind };
  const { version } = pool.spec.template.spec;
  await allAtOnce(
    missing.filter(({ metadata }) => !taken.has(metadata.name)),
    async ({ metadata: { name = "" } }) => {
      const parts = { bootstrap: undefined, infrastructure: { type } };
      const identity = { name, version, failureDomain: undefined };
      const made = await makeMachine(makingOf(scope), scope.sync.machines, parts, identity);
      scope.machines = [...scope.machines, made];
    },
    context.log,
  );
};

/** Returns whether a Machine has it already, whoever made that. */
const isOfOther = (infraMachine: KubeObject): boolean => controllerOf(infraMachine)?.kind === Machines.kind;

/** Machines whose infrastructure machine is on its way out or gone: they go with it, so that their Node does. */
const deleteLeft = async (scope: MachinePoolScope, { resource }: ExternalKind): Promise<void> => {
  const { client, cache } = scope.context;
  const left: Machine[] = [];
  for (const machine of scope.machines) {
    if (isBeingDeleted(machine)) continue;
    const { name } = machine.spec.infrastructureRef;
    const key = { ...keyOf(machine), name };
    const seen = cache.get(resource, key);
    const present = seen !== undefined && !isBeingDeleted(seen) ? seen : await client.find(resource, key);
    if (present === undefined || isBeingDeleted(present)) left.push(machine);
  }
  await deleteMachines(makingOf(scope), left);
};

/** Keeps one Machine for each infrastructure machine, where the pool has them. */
export const reconcileMachines = async (scope: MachinePoolScope): Promise<Result> => {
  const { context, externals, machineKind, pool } = scope;
  const owner = { kind: MachinePool, object: pool };
  scope.machines = await claimMachines(context, owner, scope.machines);
  if (machineKind === undefined || isBeingDeleted(pool)) return {};
  const { apiGroup } = pool.spec.template.spec.infrastructureRef;
  const kind = await externals.kind(context, { apiGroup, kind: machineKind });
  const none = { bootstrap: undefined, infrastructure: undefined };
  scope.machines = await syncMachines(makingOf(scope), scope.sync, scope.machines, none);
  await deleteLeft(scope, kind);
  await makeMachines(scope, kind);
  return {};
};
