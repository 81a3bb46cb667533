import {
  checkShape,
  type OperationFault,
  list,
  object,
  open,
  type Reply,
  reply,
  type Route,
  text,
} from "@capstan/simulation";
import { partNotFound, refusal } from "../../arm/refusals.ts";
import { same } from "../../resource-id.ts";
import { begun } from "../../operations/answers.ts";
import { writeResource } from "../../resources/write-resource.ts";
import { groupPath, route } from "../../route.ts";
import type { Json, StoredOperation, StoredResource } from "../../state.ts";
import type { World } from "../../world.ts";
import type { Vm } from "../../vm.ts";
import { announced, powers } from "../vm-actions.ts";
import { scaleSetAt } from "./instance-routes.ts";
import { reimage, removeMember, upgrade } from "./instances.ts";
import { memberMoves } from "./members.ts";
import {
  type ExtensionModel,
  instanceIdOf,
  isFlexible,
  membersOf,
  type ScaleSet,
  scaleSetType,
  skuOfSet,
} from "./scale-set.ts";
import { modelExtensionProperties } from "./scale-set-shapes.ts";
import { scaleSets, withoutProtectedSettings } from "./scale-sets.ts";
import { waitFor } from "./settle.ts";

const path = `${groupPath}/providers/Microsoft.Compute/virtualMachineScaleSets/:parent` as const;
const some = object({ instanceIds: list(text({ min: 1 })) });

/** The machines that a request names, or all. */
const named = (
  set: StoredResource<ScaleSet>,
  ids: readonly string[] | undefined,
  world: World,
): readonly StoredResource<Vm>[] => {
  const members = membersOf(set, world);
  if (ids === undefined || ids.includes("*")) return members;
  return ids.map((id) => {
    const found = members.find((each) => same(instanceIdOf(each), id));
    if (found !== undefined) return found;
    throw refusal(
      400,
      "InvalidParameter",
      `The provided instanceId ${id} is not an active Virtual Machine Scale Set VM instanceId.`,
      "instanceIds",
    );
  });
};

const begin = (set: StoredResource<ScaleSet>, fault: OperationFault | undefined, world: World): StoredOperation =>
  world.operations.begin({
    target: `${set.id}/operation`,
    verb: "POST",
    form: "compute",
    location: set.location,
    group: set.group,
    ms: undefined,
    expectedMs: world.delays.networkMs,
    fault,
  });

/** Does something with machines; the answer is over when none of them changes any more. */
const withEach = (
  set: StoredResource<ScaleSet>,
  machines: readonly StoredResource<Vm>[],
  act: (machine: StoredResource<Vm>) => void,
  { fault, world }: { readonly fault: OperationFault | undefined; readonly world: World },
): Reply => {
  const operation = begin(set, fault, world);
  if (fault?.kind !== "operation-failed") {
    for (const machine of machines) act(machine);
    waitFor(
      operation,
      machines.map(({ id }) => id),
      world,
    );
  }
  return announced(operation, world);
};

const remove = (machine: StoredResource<Vm>, world: World): void => {
  if (machine.state !== "Deleting") memberMoves(machine, -1, world);
  removeMember(machine, world);
};

const actions: Readonly<
  Record<string, (machine: StoredResource<Vm>, set: StoredResource<ScaleSet>, world: World) => void>
> = {
  manualupgrade: (machine, set, world) => upgrade(set, machine, world),
  reimage: (machine, _set, world) => reimage(machine, world),
  reimageall: (machine, _set, world) => reimage(machine, world),
  ...Object.fromEntries(
    Object.entries(powers).map(([name, act]) => [
      name,
      (machine: StoredResource<Vm>, _set: unknown, world: World) => act(machine as unknown as StoredResource, world),
    ]),
  ),
};

const actionRoutes: readonly Route<World>[] = [
  route({
    method: "POST",
    path: `${path}/delete`,
    query: { forceDeletion: text({ enum: ["true", "false"] }) },
    body: object({ instanceIds: list(text({ min: 1 })) }, ["instanceIds"]),
    handle: ({ params, body: { instanceIds }, fault }, world) => {
      const set = scaleSetAt(params, world);
      return withEach(set, named(set, instanceIds, world), (machine) => remove(machine, world), { fault, world });
    },
  }),
  ...Object.entries(actions).map(([name, act]) =>
    route({
      method: "POST",
      path: `${path}/${name}` as typeof path,
      query: { skipShutdown: text(), hibernate: text() },
      body: some,
      handle: ({ params, body, fault }, world) => {
        const set = scaleSetAt(params, world);
        const ids = (body as { readonly instanceIds?: readonly string[] } | undefined)?.instanceIds;
        return withEach(set, named(set, ids, world), (machine) => act(machine, set, world), { fault, world });
      },
    }),
  ),
];

const countBy = (codes: readonly string[]): readonly Json[] =>
  [...new Set(codes)].map((code) => ({ code, count: codes.filter((each) => each === code).length }));

const summary = (set: StoredResource<ScaleSet>, world: World): Json => {
  const states = membersOf(set, world).map(({ state }) => `ProvisioningState/${state.toLowerCase()}`);
  const failed = set.state === "Failed";
  const error = failed ? world.state.operations.findLast(({ target }) => target === set.id)?.error : undefined;
  return {
    virtualMachine: { statusesSummary: countBy(states) },
    extensions: (set.properties.virtualMachineProfile?.extensionProfile?.extensions ?? []).map(({ name }) => ({
      name,
      statusesSummary: countBy(
        membersOf(set, world)
          .flatMap(({ id }) => world.state.resources.find((each) => each.id === `${id}/extensions/${name}`) ?? [])
          .map(({ state }) => `ProvisioningState/${state.toLowerCase()}`),
      ),
    })),
    statuses: [
      {
        code: `ProvisioningState/${set.state.toLowerCase()}${error === undefined ? "" : `/${error.code}`}`,
        level: failed ? "Error" : "Info",
        displayStatus: failed ? "Provisioning failed" : `Provisioning ${set.state.toLowerCase()}`,
        ...(error === undefined ? {} : { message: error.message }),
        time: new Date(world.clock.now()).toISOString(),
      },
    ],
    ...(isFlexible(set) ? { orchestrationServices: [] } : {}),
  };
};

const readRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: `${path}/instanceView`,
    handle: ({ params }, world) => summary(scaleSetAt(params, world), world),
  }),
  route({
    method: "GET",
    path: `${path}/skus`,
    handle: ({ params }, world) => {
      const sku = skuOfSet(scaleSetAt(params, world));
      const capacity = { minimum: 0, maximum: 1000, defaultCapacity: 1, scaleType: "Automatic" };
      return {
        value:
          sku === undefined
            ? []
            : [{ resourceType: scaleSetType, sku: { name: sku.name, tier: "Standard" }, capacity }],
      };
    },
  }),
];

const extensionsOf = (set: StoredResource<ScaleSet>): readonly ExtensionModel[] =>
  set.properties.virtualMachineProfile?.extensionProfile?.extensions ?? [];

const extensionShown = (set: StoredResource<ScaleSet>, { name, properties }: ExtensionModel): Json => ({
  id: `${set.id}/extensions/${name}`,
  name,
  type: `${scaleSetType}/extensions`,
  properties: { provisioningState: set.state, ...properties },
});

/** Writes the extensions of a model, as a change of its set. */
const writeExtensions = (
  set: StoredResource<ScaleSet>,
  extensions: readonly ExtensionModel[],
  fault: OperationFault | undefined,
  world: World,
): Promise<Reply> => {
  const { virtualMachineProfile } = set.properties;
  const { nextInstance: _, ...properties } = set.properties;
  const body = {
    location: set.location,
    tags: set.tags,
    ...set.outer,
    properties: {
      ...properties,
      virtualMachineProfile: { ...virtualMachineProfile, extensionProfile: { extensions } },
    },
  };
  return writeResource(scaleSets, { group: set.group, name: set.name, id: set.id, body, headers: {}, fault }, world);
};

const extensionPath = `${path}/extensions/:name` as const;

const extensionRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: `${path}/extensions`,
    handle: ({ params }, world) => {
      const set = scaleSetAt(params, world);
      return { value: extensionsOf(set).map((each) => extensionShown(set, each)) };
    },
  }),
  route({
    method: "GET",
    path: extensionPath,
    query: { $expand: text() },
    handle: ({ params }, world) => {
      const set = scaleSetAt(params, world);
      const found = extensionsOf(set).find(({ name }) => same(name, params.name));
      if (found === undefined) throw partNotFound(`${set.id}/extensions/${params.name}`);
      return extensionShown(set, found);
    },
  }),
  route({
    method: "PUT",
    path: extensionPath,
    body: object(
      {
        id: { type: "json" },
        name: text(),
        type: { type: "json" },
        location: text(),
        properties: modelExtensionProperties,
      },
      ["properties"],
    ),
    handle: async ({ params, body: { properties }, fault }, world) => {
      const set = scaleSetAt(params, world);
      const others = extensionsOf(set).filter(({ name }) => !same(name, params.name));
      const isNew = others.length === extensionsOf(set).length;
      const made = { name: params.name, properties } as unknown as ExtensionModel;
      const { headers } = await writeExtensions(set, [...others, made], fault, world);
      return reply(
        isNew ? 201 : 200,
        extensionShown(scaleSetAt(params, world), withoutProtectedSettings(made)),
        headers,
      );
    },
  }),
  route({
    method: "PATCH",
    path: extensionPath,
    body: open(object({ properties: { type: "json" } })),
    handle: async ({ params, body: { properties: given }, fault }, world) => {
      const set = scaleSetAt(params, world);
      const found = extensionsOf(set).find(({ name }) => same(name, params.name));
      if (found === undefined) throw partNotFound(`${set.id}/extensions/${params.name}`);
      const changed = { name: found.name, properties: { ...found.properties, ...(given as Json) } };
      checkShape(changed.properties, modelExtensionProperties, "properties");
      const all = extensionsOf(set).map((each) => (each === found ? changed : each));
      const { headers } = await writeExtensions(set, all, fault, world);
      return reply(201, extensionShown(scaleSetAt(params, world), withoutProtectedSettings(changed)), headers);
    },
  }),
  route({
    method: "DELETE",
    path: extensionPath,
    handle: async ({ params, fault }, world) => {
      const set = scaleSetAt(params, world);
      const others = extensionsOf(set).filter(({ name }) => !same(name, params.name));
      if (others.length === extensionsOf(set).length) return reply(204);
      await writeExtensions(set, others, fault, world);
      const running = world.operations.running(set.id);
      return running === undefined ? reply(204) : begun(202, undefined, running, scaleSets.delete, world);
    },
  }),
];

/** Routes of scale sets other than creation and deletion: actions, views and extensions. */
export const scaleSetRoutes: readonly Route<World>[] = [...actionRoutes, ...readRoutes, ...extensionRoutes];
