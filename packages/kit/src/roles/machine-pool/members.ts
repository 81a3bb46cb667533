import { Annotation, isCapstanError, Label } from "@capstan/contract";
import {
  conditionOf,
  controllerOf,
  machinePool as poolFields,
  MachinePoolResource,
  MachineResource,
  ownerReference,
} from "@capstan/contract/wire";
import { isBeingDeleted, keyOf, keyText, nameAsLabel } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { allAtOnce } from "../../objects/at-once.ts";
import { clusterIndex } from "../relations.ts";
import type { PoolFacts, PoolMember } from "./author.ts";
import type { PlannedMember } from "./plan.ts";

/** One reconcile of one pool, as far as its members are concerned. */
export interface MembersPlace {
  readonly kind: Resource;
  readonly machineKind: Resource;
  readonly object: KubeObject;
  readonly pool: KubeObject;
  readonly clusterName: string;
  readonly environment: ReconcileContext;
}

const isOf = (owner: KubeObject, { metadata }: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ kind, name, uid }) => {
    return uid === owner.metadata.uid || (kind === owner.kind && name === owner.metadata.name);
  }) === true;

/** The infrastructure machines of a pool, by name. */
const infraMachinesOf = ({
  clusterName,
  environment,
  machineKind,
  object,
}: Omit<MembersPlace, "kind" | "pool">): ReadonlyMap<string, KubeObject> => {
  const key = keyText({ ...keyOf(object), name: clusterName });
  const all = environment.cache.byIndex<KubeObject>(machineKind, clusterIndex, key);
  return new Map(all.filter((each) => isOf(object, each)).map((each) => [each.metadata.name ?? "", each]));
};

/** The Machine of an infrastructure machine; they have the same name. */
const machineOf = ({ environment, object }: MembersPlace, name: string): KubeObject | undefined =>
  environment.cache.get(MachineResource, { namespace: object.metadata.namespace ?? "", name });

/** Returns the members as the plan needs them. */
export const plannedMembers = (place: MembersPlace, members: readonly PoolMember[]): readonly PlannedMember[] => {
  const known = infraMachinesOf(place);
  return members.map(({ createdAt, leaving, name, upToDate }) => {
    const [infra, machine] = [known.get(name), machineOf(place, name)];
    const isLeaving = [infra, machine].some((each) => each !== undefined && isBeingDeleted(each));
    return {
      name,
      available: machine !== undefined && conditionOf(machine, "Available")?.status === "True",
      leaving: leaving === true || isLeaving,
      upToDate: upToDate !== false,
      marked: machine?.metadata.annotations?.[Annotation.deleteMachine] !== undefined,
      createdAt: createdAt ?? Date.parse(infra?.metadata.creationTimestamp ?? "1970-01-01T00:00:00Z"),
    };
  });
};

const bodyOf = (place: MembersPlace, { name, providerID, spec }: PoolMember): KubeObject => ({
  apiVersion: apiVersionOf(place.machineKind),
  kind: place.machineKind.kind,
  metadata: {
    name,
    namespace: place.object.metadata.namespace ?? "",
    labels: {
      [Label.clusterName]: place.clusterName,
      [Label.poolName]: nameAsLabel(place.pool.metadata.name ?? ""),
    },
    ownerReferences: [ownerReference(place.kind, place.object)],
  },
  spec: { ...spec, providerID },
});

const create = async (place: MembersPlace, member: PoolMember): Promise<void> => {
  const { client, signal } = place.environment;
  try {
    await client.create(place.machineKind, bodyOf(place, member), { signal });
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};

/** Deletes this very object. One that is gone is what was wanted. */
const remove = async ({ client, signal }: ReconcileContext, kind: Resource, object: KubeObject): Promise<void> => {
  const { uid } = object.metadata;
  try {
    await client.delete(kind, keyOf(object), { signal, ...(uid !== undefined && { preconditions: { uid } }) });
  } catch (error) {
    if (!isCapstanError(error, "kube.not_found") && !isCapstanError(error, "kube.conflict")) throw error;
  }
};

/** One infrastructure machine for each member, none for what is gone; and the Machines that the plan wants away are deleted. */
export const syncMembers = async (
  place: MembersPlace,
  { members }: PoolFacts,
  unwanted: readonly string[],
): Promise<void> => {
  const { environment, machineKind } = place;
  const known = infraMachinesOf(place);
  const present = new Map(members.filter(({ leaving }) => leaving !== true).map((member) => [member.name, member]));
  const missing = [...present.values()].filter(({ name }) => !known.has(name));
  const gone = [...known.values()].filter((each) => !present.has(each.metadata.name ?? "") && !isBeingDeleted(each));
  await allAtOnce(missing, (member) => create(place, member), environment.log);
  await allAtOnce(gone, (each) => remove(environment, machineKind, each), environment.log);
  const surplus = unwanted.flatMap((name) => {
    const machine = machineOf(place, name);
    const infra = known.get(name);
    // Without a finalizer it would go alone: its machine would stay, and get another.
    if (infra === undefined || (infra.metadata.finalizers ?? []).length === 0) return [];
    // Without a Machine there is no Node to drain, and nothing to wait for.
    const hasMachine = machine !== undefined && isOfPool(place, machine);
    const [kind, object] = hasMachine ? [MachineResource, machine] : [machineKind, infra];
    return isBeingDeleted(object) ? [] : [{ kind, object }];
  });
  await allAtOnce(surplus, ({ kind, object }) => remove(environment, kind, object), environment.log);
};

const isOfPool = ({ pool }: MembersPlace, machine: KubeObject): boolean => {
  const controller = controllerOf(machine);
  return controller?.kind === MachinePoolResource.kind && controller.name === pool.metadata.name;
};

/** Deletes the infrastructure machines of a pool that is on its way out. How many are left. */
export const removeMembers = async (place: Omit<MembersPlace, "kind" | "pool">): Promise<number> => {
  const left = [...infraMachinesOf(place).values()];
  const { environment, machineKind } = place;
  await allAtOnce(
    left.filter((each) => !isBeingDeleted(each)),
    (each) => remove(environment, machineKind, each),
    environment.log,
  );
  return left.length;
};

/** The MachinePool follows who scales the pool instead of it. */
export const followReplicas = async (
  { client, signal }: ReconcileContext,
  pool: KubeObject,
  replicas: number,
): Promise<void> => {
  if (poolFields.replicas.get(pool) === replicas) return;
  const body = { ...poolFields.replicas.patch(replicas), metadata: { resourceVersion: pool.metadata.resourceVersion } };
  await client.patch(MachinePoolResource, keyOf(pool), { type: "merge", body }, { signal });
};
