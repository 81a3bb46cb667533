import { marksIn, withoutEpochs } from "@capstan/kit/engine";
import type { PlanItemV1, PlannedMachineV1, PlannedResourceV1, PlanRequestV1 } from "@capstan/contract/v1";
import { Label } from "@capstan/contract";
import { isIdentityTag } from "@capstan/kit";
import type { Instance } from "@capstan/linode-client";
import { instanceIdOf } from "../machine/instance-facts.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";
import { imageOf } from "../machine/instance-body.ts";
import { tagsToSet, wantedTags } from "../machine/tags.ts";
import type { Catalogue } from "./catalogue.ts";
import { missingReferences } from "./references.ts";

/** Environment of a plan. */
export interface PlanEnvironment {
  readonly api: LinodeApi;
  readonly catalogue: Catalogue;
  readonly call: Call;
  readonly find: PlanRequestV1["find"];
}

/** Planned resources of one object, and its problems. */
export interface Planned {
  readonly resources: readonly PlannedResourceV1[];
  readonly problems: readonly string[];
}

const describe = (spec: LinodeMachine["spec"]): string =>
  `${spec.type} in ${spec.region}, ${imageOf(spec) ?? `backup ${spec.backupID}`}`;

/** Returns the differences of an instance from the spec that will not be corrected; `undefined` if none. */
const driftOf = ({ spec }: LinodeMachine, { region, type, status }: Instance): string | undefined => {
  const differs = [
    ...(region === spec.region ? [] : [`region is ${region}, want ${spec.region}`]),
    ...(type === spec.type ? [] : [`type is ${type ?? "none"}, want ${spec.type}`]),
    ...(["offline", "stopped", "shutting_down"].includes(status) ? [`it is ${status}`] : []),
  ];
  return differs.length === 0 ? undefined : differs.join("; ");
};

const tagChanges = (machine: LinodeMachine, { tags }: Instance): NonNullable<PlannedResourceV1["changes"]> => {
  const identityTags = tags.filter((tag) => isIdentityTag(tag) || marksIn([tag]).length > 0);
  if (identityTags.length === 0) return [];
  const clusterName = machine.metadata.labels?.[Label.clusterName] ?? "";
  const users = withoutEpochs(tags);
  const epochTags = tags.filter((tag) => !users.includes(tag));
  const wanted = wantedTags({
    specTags: machine.spec.tags ?? [],
    clusterName,
    identityTags: [...identityTags, ...epochTags],
  });
  const to = tagsToSet({ wanted, managed: machine.status?.tags ?? [], current: tags });
  return to === undefined ? [] : [{ field: "tags", from: tags, to }];
};

const existing = async (
  item: PlanItemV1,
  machine: LinodeMachine,
  id: number,
  environment: PlanEnvironment,
): Promise<PlannedResourceV1> => {
  const { api, call, catalogue } = environment;
  const instance = await api.getInstance(id, call);
  const at = { object: machine, type: "instance", name: String(id), count: 1 };
  if (instance === undefined) {
    const drift = `instance ${id} no longer exists and is not recreated`;
    return { ...at, action: "keep", drift };
  }
  const price = await catalogue.instancePrice(instance.type ?? "", instance.region);
  const named = {
    ...at,
    name: `${instance.label} (${id})`,
    description: `${instance.type ?? "no plan"} in ${instance.region}`,
    ...price,
  };
  if (item.after === undefined) return { ...named, action: "delete" };
  const after = item.after as LinodeMachine;
  if (item.replaced) {
    return {
      ...named,
      action: "replace",
      description: describe(after.spec),
      ...(await catalogue.instancePrice(after.spec.type, after.spec.region)),
    };
  }
  const changes = tagChanges(after, instance);
  const drift = driftOf(after, instance);
  return {
    ...named,
    action: changes.length > 0 ? "change" : "keep",
    ...(changes.length > 0 && { changes }),
    ...(drift !== undefined && { drift }),
  };
};

/** Linode's own images have swap and nothing of Kubernetes; what others have is their makers' affair. */
const factsOf = async (spec: LinodeMachine["spec"], catalogue: Catalogue): Promise<PlannedMachineV1> => {
  const type = await catalogue.type(spec.type);
  const isStock = imageOf(spec)?.startsWith("linode/") === true;
  return {
    ...(isStock && { hasKubernetes: false, hasSwap: true }),
    ...(type !== undefined && { cpus: type.vcpus, memoryMiB: type.memory }),
  };
};

/** Why the instance that a machine describes cannot be made. */
const problemsOf = async (machine: LinodeMachine, { catalogue, find }: PlanEnvironment): Promise<readonly string[]> => [
  ...(await catalogue.problems({ ...machine.spec, image: imageOf(machine.spec) })),
  ...(await missingReferences(machine, find)),
];

/** The instance of a LinodeMachine, or those of a template. */
export const planMachine = async (item: PlanItemV1, environment: PlanEnvironment): Promise<Planned> => {
  const before = item.before as LinodeMachine | undefined;
  const after = item.after as LinodeMachine | undefined;
  const machine = after ?? before;
  if (machine === undefined) return { resources: [], problems: [] };
  const id = before === undefined ? undefined : instanceIdOf(before.spec.providerID);
  const { spec } = machine;
  const isNew = after !== undefined && (id === undefined || item.replaced);
  const problems = isNew ? await problemsOf(machine, environment) : [];
  if (id !== undefined) return { resources: [await existing(item, before ?? machine, id, environment)], problems };
  if (after === undefined) return { resources: [], problems };
  const { count } = item;
  const at = { object: machine, type: "instance", name: machine.metadata.name ?? "", count };
  const price = await environment.catalogue.instancePrice(spec.type, spec.region);
  const known = await factsOf(spec, environment.catalogue);
  return { resources: [{ ...at, action: "create", description: describe(spec), ...price, machine: known }], problems };
};
