import { object, open, reply, type Route, text } from "@capstan/simulation";
import { partNotFound, refusal } from "../../arm/refusals.ts";
import { resourceId, same } from "../../resource-id.ts";
import { begun } from "../../operations/answers.ts";
import { checkEtags, checkIdle } from "../../resources/change-rules.ts";
import { findGroup, resourceById } from "../../resources/find.ts";
import type { ResourceKind } from "../../resources/resource-kind.ts";
import { viewOfResource } from "../../resources/views.ts";
import { groupPath, route } from "../../route.ts";
import type { Json, StoredResource } from "../../state.ts";
import type { World } from "../../world.ts";
import { extensionView, type Extension } from "../extension-status.ts";
import { instanceView } from "../instance-view.ts";
import type { Vm } from "../../vm.ts";
import { machineActions, type MachineParams } from "../vm-actions.ts";
import { instanceParts, instances } from "./instance-kinds.ts";
import { reimage, removeMember } from "./instances.ts";
import { memberMoves } from "./members.ts";
import { instanceIdOf, instanceType, isFlexible, membersOf, type ScaleSet, scaleSetType, setOf } from "./scale-set.ts";

const setPath = `${groupPath}/providers/Microsoft.Compute/virtualMachineScaleSets/:parent` as const;
const listPath = `${setPath}/virtualMachines` as const;
const path = `${listPath}/:name` as const;

/** The scale set that a request names. */
export const scaleSetAt = (
  { group, parent }: Pick<MachineParams, "group" | "parent">,
  world: World,
): StoredResource<ScaleSet> => {
  const { name } = findGroup(group, world);
  const found = resourceById(resourceId(world.subscriptionId, name, scaleSetType, [parent]), world);
  if (found !== undefined) return found;
  throw refusal(
    404,
    "ParentResourceNotFound",
    `Failed to perform operation on nested resource. The parent resource '${scaleSetType}/${parent}' could not be found.`,
  );
};

const memberOf = (params: MachineParams, world: World): StoredResource<Vm> | undefined =>
  membersOf(scaleSetAt(params, world), world).find((each) => same(instanceIdOf(each), params.name));

const memberAt = (params: MachineParams, world: World): StoredResource<Vm> => {
  const found = memberOf(params, world);
  if (found !== undefined) return found;
  throw partNotFound(`virtualMachineScaleSets/${params.parent}/virtualMachines/${params.name}`);
};

/** Returns the current instance view of an instance. */
const memberView = (machine: StoredResource<Vm>, world: World): Json => ({
  ...instanceView(machine, world),
  placementGroupId: setOf(machine, world)?.guid,
  platformFaultDomain: 0,
  platformUpdateDomain: 0,
});

/** An instance, or a machine of a Flexible set as an instance of that. */
const view = (machine: StoredResource<Vm>, set: StoredResource<ScaleSet>, expand: unknown, world: World): Json => {
  const shown = viewOfResource(machine as unknown as StoredResource, instances as unknown as ResourceKind, world);
  const { latestModelApplied, ...properties } = shown["properties"] as Json;
  return {
    ...shown,
    ...(isFlexible(set) ? { id: `${set.id}/virtualMachines/${machine.name}`, type: instanceType } : {}),
    properties: {
      ...properties,
      ...(isFlexible(set) ? {} : { latestModelApplied }),
      ...(expand === "instanceView" ? { instanceView: memberView(machine, world) } : {}),
    },
  };
};

const partsBelow = (machine: StoredResource<Vm>, collection: string, world: World): readonly StoredResource[] => {
  const [cards] = instanceParts;
  const ids =
    collection === "networkInterfaces"
      ? (machine.properties.networkProfile.networkInterfaces ?? []).map(({ id }) => id)
      : world.state.resources.filter(({ id }) => id.startsWith(`${machine.id}/${collection}/`)).map(({ id }) => id);
  return cards === undefined ? [] : ids.flatMap((id) => resourceById(id, world) ?? []);
};

const query = { $expand: text({ enum: ["instanceView"] }) } as const;

const readRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: listPath,
    query,
    handle: ({ params, query: { $expand: expand } }, world) => {
      const set = scaleSetAt(params, world);
      const wanted = /^instanceView/i.test(expand ?? "") ? "instanceView" : undefined;
      return { value: membersOf(set, world).map((each) => view(each, set, wanted, world)) };
    },
  }),
  route({
    method: "GET",
    path,
    query: { $expand: text({ enum: ["instanceView", "userData"] }) },
    handle: ({ params, query: { $expand: expand } }, world) =>
      view(memberAt(params, world), scaleSetAt(params, world), expand, world),
  }),
];

const writeRoutes: readonly Route<World>[] = [
  route({
    method: "PUT",
    path,
    headers: ["If-Match", "If-None-Match"],
    // Of an instance as it was read, only the tags change.
    body: open(object({ location: text(), tags: { type: "strings" } }, ["location"])),
    handle: ({ params, body: { tags }, headers, fault }, world) => {
      const machine = memberAt(params, world);
      checkEtags(headers, machine.id, machine as unknown as StoredResource);
      checkIdle(machine as unknown as StoredResource);
      machine.tags = tags;
      machine.state = "Updating";
      machine.revision += 1;
      const operation = world.operations.begin({
        target: machine.id,
        verb: "PUT",
        form: "compute",
        location: machine.location,
        group: machine.group,
        ms: world.delays.networkMs,
        fault,
      });
      const shown = view(machine, scaleSetAt(params, world), undefined, world);
      return begun(200, shown, operation, { asyncOperation: true }, world);
    },
  }),
  route({
    method: "DELETE",
    path,
    query: { forceDeletion: text({ enum: ["true", "false"] }) },
    handle: ({ params }, world) => {
      const machine = memberOf(params, world);
      if (machine === undefined) return reply(204);
      if (machine.state !== "Deleting") memberMoves(machine, -1, world);
      return begun(202, undefined, removeMember(machine, world), { asyncOperation: true, location: true }, world);
    },
  }),
  ...(["reimage", "reimageall"] as const).map((action) =>
    route({
      method: "POST",
      path: `${path}/${action}`,
      body: object({ tempDisk: { type: "boolean" }, forceUpdateOSDiskForEphemeral: { type: "boolean" } }),
      handle: ({ params }, world) => {
        const machine = memberAt(params, world);
        reimage(machine, world);
        const running = world.operations.running(machine.id);
        if (running === undefined) throw refusal(409, "OperationNotAllowed", "The machine is not running.");
        return begun(202, undefined, running, { asyncOperation: true, location: true }, world);
      },
    }),
  ),
];

const kindAt = (collection: string): ResourceKind =>
  instanceParts.find(({ type }) => type === `${instanceType}/${collection}`) ?? (instances as unknown as ResourceKind);

const partRoutes: readonly Route<World>[] = (["networkInterfaces", "extensions"] as const).flatMap((collection) => {
  const shown = (part: StoredResource, expand: string | undefined, world: World): Json => {
    const seen = viewOfResource(part, kindAt(collection), world);
    if (collection !== "extensions" || expand !== "instanceView") return seen;
    const status = extensionView(part as unknown as StoredResource<Extension>);
    return { ...seen, properties: { ...(seen["properties"] as Json), instanceView: status } };
  };
  return [
    route({
      method: "GET",
      path: `${path}/${collection}`,
      query,
      handle: ({ params, query: { $expand: expand } }, world) => ({
        value: partsBelow(memberAt(params, world), collection, world).map((each) => shown(each, expand, world)),
      }),
    }),
    route({
      method: "GET",
      path: `${path}/${collection}/:part`,
      query: { $expand: text() },
      handle: ({ params, query: { $expand: expand } }, world) => {
        const parts = partsBelow(memberAt(params, world), collection, world);
        const found = parts.find(({ name }) => same(name, params.part));
        if (found === undefined) throw partNotFound(`${params.name}/${collection}/${params.part}`);
        return shown(found, expand, world);
      },
    }),
  ];
});

const cardsOfSet: Route<World> = route({
  method: "GET",
  path: `${setPath}/networkInterfaces`,
  query,
  handle: ({ params }, world) => ({
    value: membersOf(scaleSetAt(params, world), world)
      .flatMap((machine) => partsBelow(machine, "networkInterfaces", world))
      .map((each) => viewOfResource(each, kindAt("networkInterfaces"), world)),
  }),
});

/** The machines of scale sets, what is below them, and what can be done with them. */
export const instanceRoutes: readonly Route<World>[] = [
  ...readRoutes,
  ...writeRoutes,
  ...partRoutes,
  cardsOfSet,
  ...machineActions(path, memberAt, memberView),
];
