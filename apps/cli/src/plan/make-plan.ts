import type { ManifestObject } from "@capstan/apiserver";
import { isCapstanError } from "@capstan/contract";
import type { CloudPlanV1, PlanItemV1, PlanProblemV1, PlanRequestV1, ProviderV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { readAppliedFiles } from "../up/applied-files.ts";
import { tryManifests, type Trial } from "../up/apply.ts";
import { leftOver, partOfLabel } from "../up/apply-set.ts";
import { unservedAddons } from "../up/served-manifests.ts";
import { planBootstrapConfigs } from "./bootstrap-configs.ts";
import { certainFailures } from "./certain-failures.ts";
import { changesOf } from "./changes.ts";
import { planMachines } from "./machines.ts";
import { leftOutWords } from "../manifest/addons.ts";
import { nameOf } from "../manifest/identity.ts";
import type { Plan, PlannedObject, PlanProblem } from "./plan.ts";
import { missingReferences } from "./references.ts";
import { planRemovals } from "./removals.ts";
import { heldWorkers } from "./version-skew.ts";
import { worldOf, type World } from "./world.ts";

/** Options of a plan. */
export interface PlanningOptions {
  readonly client: Client;
  readonly providers: readonly ProviderV1[];
  /** Namespace of objects that name none. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Plans the deletion of what `capstan up` applied and is in none of the manifests. Default: that is named. */
  readonly prune?: boolean;
  /** Looks only at what is new at the cloud, and not at one that does not answer. Default: at everything. */
  readonly newOnly?: boolean;
}

const plannedObject = ({ item, before, after, kept }: Trial): PlannedObject => {
  const changes = before === undefined ? [] : changesOf(before, after);
  const action = before === undefined ? "create" : changes.length > 0 ? "change" : "keep";
  const owners = [...new Set(kept.map(({ owner }) => owner))].join(", ");
  const note = `${kept.map(({ field }) => field).join(", ")} as set by ${owners}`;
  return { action, object: after, source: item.source, count: 1, changes, ...(kept.length > 0 && { note }) };
};

const isNew = ({ before, replaced }: PlanItemV1): boolean => before === undefined || replaced;

/**
 * Returns the cloud resources other than machines and clusters, such as networks and firewalls. Templates have none.
 */
const besides = (trials: readonly Trial[]): readonly PlanItemV1[] =>
  trials
    .filter(({ after }) => !/(?:Machine|MachinePool|Cluster|Template)$/.test(after.kind))
    .map(({ before, after }) => ({ before, after, replaced: false, count: 1, infraCluster: undefined }));

/** Asks each provider about what is of its kinds. */
const planCloud = async (
  items: readonly PlanItemV1[],
  world: World,
  { providers, signal, newOnly = false }: PlanningOptions,
): Promise<CloudPlanV1> => {
  const plans: CloudPlanV1[] = [];
  for (const { kinds, plan } of providers) {
    const own = items.filter(({ before, after }) => {
      const object = after ?? before;
      return (
        object !== undefined &&
        kinds.some(({ group, kind }) => kind === object.kind && group === groupOf(object.apiVersion))
      );
    });
    if (plan === undefined || own.length === 0) continue;
    const find: PlanRequestV1["find"] = async ({ group: apiGroup, kind }, { name, namespace = "" }) =>
      (await world.find({ apiGroup, kind, name }, namespace)).after;
    try {
      plans.push(await plan({ items: own, find, secret: (key) => find(SecretResource, key), signal }));
    } catch (error) {
      // Its controllers retry; a plan that people ask for would not be whole.
      if (!newOnly || signal.aborted || !isCapstanError(error)) throw error;
    }
  }
  return {
    resources: plans.flatMap(({ resources }) => resources),
    problems: plans.flatMap(({ problems }) => problems),
  };
};

/** Where an object stands in the files; of those to be made, what makes them. */
const itemOf = (object: KubeObject, items: ReadonlyMap<string, ManifestObject>): ManifestObject | undefined => {
  const { name = "", namespace } = object.metadata;
  const metadata = { name: name.replace(/-\*$/, ""), ...(namespace !== undefined && { namespace }) };
  const candidates = [
    object,
    ...["MachineDeployment", "MachineSet", "KubeadmControlPlane", "KThreesControlPlane", "RKE2ControlPlane"].map(
      (kind) => ({ ...object, kind, metadata }),
    ),
  ];
  return candidates.map((each) => items.get(nameOf(each))).find((item) => item !== undefined);
};

/** Returns the management API's warnings about objects that it accepts. */
const warningsOf = async (trials: readonly Trial[]): Promise<readonly PlanProblem[]> => {
  const found = trials.flatMap(({ item, after, warnings }) => warnings.map((said) => ({ item, after, said })));
  return Promise.all(
    found.map(async ({ item, after, said }) => ({
      where: (await item.placeOf?.(said)) ?? item.source,
      message: `${nameOf(after)}: ${said}`,
    })),
  );
};

/** Returns a problem as one line. */
export const textOf = ({ where, message }: PlanProblem): string => `${where}: ${message}`;

/** Plans the application of manifests, in Kubernetes and at the cloud. Writes nothing. */
export const makePlan = async (given: readonly ManifestObject[], options: PlanningOptions): Promise<Plan> => {
  const unserved = await unservedAddons(given, options);
  const manifests = given.filter((item) => !unserved.has(item));
  const { set } = await readAppliedFiles(options.client, options);
  const labels = { [partOfLabel]: set.id };
  const { trials, refused } = await tryManifests(manifests, { ...options, labels });
  const left = manifests.length === 0 || options.newOnly === true ? [] : await leftOver(set, manifests, options);
  const objectsLeft = left.map(({ object }) => object);
  const removals = await planRemovals(options.prune === true ? objectsLeft : [], worldOf(trials, options));
  const world = worldOf([...trials, ...removals.trials], options);
  const { machines, items: machineItems, makers } = await planMachines(world);
  const items = [...machineItems, ...removals.items, ...(await planBootstrapConfigs(world)), ...besides(trials)];
  const cloud = await planCloud(options.newOnly === true ? items.filter(isNew) : items, world, options);
  const held = await heldWorkers(
    trials.map(({ after }) => after),
    world,
  );
  const files = new Map(trials.map(({ item, after }) => [nameOf(after), item]));
  const said = async ({ object, message }: PlanProblemV1): Promise<PlanProblem> => {
    const item = itemOf(object, files);
    const where = (await item?.placeOf?.(message)) ?? item?.source ?? "at the cloud";
    return { where, message: `${nameOf(object)}: ${message}` };
  };
  const heldSaid = await Promise.all(held.map(said));
  return {
    objects: [...trials.map(plannedObject), ...removals.objects, ...machines.filter(({ action }) => action !== "keep")],
    leftOut: leftOutWords([...unserved], given),
    leftOver: options.prune === true ? [] : objectsLeft,
    cloud: cloud.resources,
    failures: [...(await Promise.all((await certainFailures(makers, cloud.resources, world)).map(said))), ...heldSaid],
    held: held.flatMap(({ object, checks }, index) => {
      const item = trials.find(({ after }) => after === object)?.item;
      const words = heldSaid[index];
      return item === undefined || words === undefined ? [] : [{ item, checks, text: textOf(words) }];
    }),
    warnings: await warningsOf(trials),
    problems: [
      ...refused.map(({ item, message, where }) => ({ where, message: `${nameOf(item.object)}: ${message}` })),
      ...(await missingReferences(
        trials,
        world,
        refused.map(({ item }) => item),
      )),
      ...(await Promise.all(cloud.problems.map(said))),
    ],
  };
};
