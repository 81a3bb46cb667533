import type { PlanItemV1, PlannedResourceV1 } from "@capstan/contract/v1";
import { Annotation } from "@capstan/contract";
import { machinePool as poolFields, poolReplicas } from "@capstan/contract/wire";
import type { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { Tags } from "../cluster/resource-tags.ts";
import { tagChanges, tagOf } from "../cluster/resource-tags.ts";
import { tagsIn } from "../machine/machine-tags.ts";
import type { PoolPlan } from "../machine-pool/pool-plan.ts";
import { planOfPool, templateTag } from "../machine-pool/pool-plan.ts";
import { poolSizeProblem } from "../machine-pool/pool-size.ts";
import { lastAppliedTags } from "../machine-pool/pool-upkeep.ts";
import { skuOfSet } from "../machine-pool/scale-set-body.ts";
import type { PlanEnvironment, Planned } from "./plan-environment.ts";
import { plannedPlace } from "./plan-environment.ts";
import { describeMachine } from "./plan-machine.ts";
import { priceOfMachine } from "./prices.ts";

type Change = NonNullable<PlannedResourceV1["changes"]>[number];

const difference = <T>(field: string, from: T, to: T): readonly Change[] => (from === to ? [] : [{ field, from, to }]);

const tagDifference = (set: AzureResource, wanted: Tags, before: Tags): readonly Change[] => {
  const changes = tagChanges(set, wanted, before);
  if (changes === undefined) return [];
  const names = Object.keys({ ...changes.merge, ...changes.remove });
  const from = Object.fromEntries(names.map((name) => [name, tagOf(set, name)]));
  return [{ field: "tags", from, to: changes.merge }];
};

/** Returns the changes to an existing scale set. Its capacity is left alone if another program scales it. */
const changesOf = ({ after, machinePool: pool }: PlanItemV1, plan: PoolPlan, set: AzureResource): readonly Change[] => {
  const { capacity, name } = skuOfSet(set);
  const isOurs = pool?.metadata.annotations?.[Annotation.replicasManagedBy] === undefined;
  const isLatest = tagOf(set, templateTag) === plan.revision;
  return [
    ...(pool !== undefined && isOurs ? difference("machines", capacity, poolReplicas(pool)) : []),
    ...difference("size", name, plan.spec.vmSize),
    ...(isLatest ? [] : [{ field: "template", from: "an outdated one", to: "the current one, with new machines" }]),
    ...tagDifference(set, plan.place.tags.additional, after === undefined ? {} : tagsIn(after, lastAppliedTags)),
  ];
};

const count = (machines: number): string => (machines === 1 ? "1 machine" : `${machines} machines`);

/** The scale set of an AzureMachinePool. */
export const planPool = async (item: PlanItemV1, environment: PlanEnvironment): Promise<Planned> => {
  const { api, call } = environment;
  const { after, before, machinePool } = item;
  const object = (after ?? before) as AzureMachinePool | undefined;
  if (object === undefined) return { resources: [], problems: [] };
  const plan = planOfPool(object, {
    place: plannedPlace(environment, object),
    version: machinePool && poolFields.version.get(machinePool),
    zones: (machinePool && poolFields.failureDomains.get(machinePool)) ?? [],
  });
  const { location } = plan.place.spec;
  const set = await api.find(plan.set, call);
  const at = { object, type: "virtual machine scale set", name: plan.name, count: 1 };
  const describe = (machines: number): string => `${count(machines)}, each ${describeMachine(plan.spec, location)}`;
  if (after === undefined) {
    const gone = { ...at, action: "delete" } as const;
    return { resources: set === undefined ? [] : [gone], problems: [] };
  }
  if (set === undefined) {
    const problem = poolSizeProblem(await api.skus(location, call), plan);
    const description = describe(machinePool === undefined ? 1 : poolReplicas(machinePool));
    const each = priceOfMachine(plan.spec, location);
    const monthly = (each?.monthly ?? 0) * (machinePool === undefined ? 1 : poolReplicas(machinePool));
    const price = each && { price: { ...each, monthly } };
    const made = { ...at, action: "create", description, ...price } as const;
    return { resources: [made], problems: problem === undefined ? [] : [problem] };
  }
  const changes = changesOf(item, plan, set);
  const present = { ...at, description: describe(skuOfSet(set).capacity) };
  const found = changes.length === 0 ? { action: "keep" as const } : { action: "change" as const, changes };
  return { resources: [{ ...present, ...found }], problems: [] };
};
