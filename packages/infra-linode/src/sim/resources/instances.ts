import type { UpdateInstanceConfig } from "@capstan/linode-client";
import { integer, invalid, list, notFound, object, type Route, violation } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { busy } from "../api/refusals.ts";
import { idOf, route } from "../api/route.ts";
import { kernels } from "../seed.ts";
import type { StoredDisk, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { createInstance } from "./instance-create.ts";
import { bootable, findInstance, typeOf } from "./instance-rules.ts";
import { createDiskShape, createInstanceShape, updateConfigShape, updateInstanceShape } from "./instance-shapes.ts";
import { addressesView, configView, diskView, instanceView } from "./instance-views.ts";
import { firewallView } from "./networking.ts";

const base = "linode/instances";

export const instanceRoutes: readonly Route<World>[] = [
  collection({
    path: base,
    filterable: ["id", "label", "region", "type", "image", "group", "tags", "status"],
    list: (_request, { state }) => state.instances.map(instanceView),
  }),
  route({
    method: "POST",
    path: base,
    body: createInstanceShape,
    handle: ({ body }, world) => instanceView(createInstance(body, world)),
  }),
  route({ method: "GET", path: `${base}/:id`, handle: (request, world) => instanceView(findInstance(request, world)) }),
  route({
    method: "PUT",
    path: `${base}/:id`,
    body: updateInstanceShape,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const { label, group, tags } = request.body;
      instance.label = label ?? instance.label;
      instance.group = group ?? instance.group;
      instance.tags = tags ?? instance.tags;
      instance.updated = world.clock.now();
      return instanceView(instance);
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:id`,
    handle: (request, world) => {
      world.power.remove(findInstance(request, world));
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/boot`,
    body: object({ config_id: integer }),
    handle: (request, world) => {
      const instance = findInstance(request, world);
      if (hasUnfinishedDisk(instance)) throw busy();
      bootable(instance);
      world.power.boot(instance);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/shutdown`,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      if (instance.status !== "running") throw busy();
      world.power.shutdown(instance);
      return {};
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/ips`,
    handle: (request, world) => addressesView(findInstance(request, world)),
  }),
  collection({
    path: `${base}/:id/configs`,
    filterable: ["label"],
    list: (request, world) => [configView(findInstance(request, world).config)],
  }),
  route({
    method: "PUT",
    path: `${base}/:id/configs/:config`,
    body: updateConfigShape,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      if (instance.config.id !== idOf(request, "config")) throw notFound();
      updateConfig(instance, request.body as UpdateInstanceConfig);
      return configView(instance.config);
    },
  }),
  collection({
    path: `${base}/:id/disks`,
    filterable: ["label", "size", "status"],
    list: (request, world) => findInstance(request, world).disks.map(diskView),
  }),
  route({
    method: "POST",
    path: `${base}/:id/disks`,
    body: createDiskShape,
    handle: (request, world) => diskView(createDisk(findInstance(request, world), request.body, world)),
  }),
  route({
    method: "GET",
    path: `${base}/:id/interfaces`,
    handle: (request, world) => {
      const { linodeInterfaces, id, generation } = findInstance(request, world);
      if (generation !== "linode") throw invalid("The Linode does not use linode interfaces");
      return { interfaces: linodeInterfaces.map((entry, index) => ({ ...entry, id: id * 10 + index })) };
    },
  }),
  collection({
    path: `${base}/:id/interfaces/:interface/firewalls`,
    filterable: ["label"],
    list: (request, world) => {
      const { linodeInterfaces, id } = findInstance(request, world);
      const entry = linodeInterfaces[idOf(request, "interface") - id * 10];
      if (entry === undefined) throw notFound();
      return world.state.firewalls.filter((firewall) => firewall.id === entry.firewall_id).map(firewallView);
    },
  }),
  collection({
    path: `${base}/:id/firewalls`,
    filterable: ["label"],
    list: (request, world) => firewallsOf(findInstance(request, world), world),
  }),
  route({
    method: "PUT",
    path: `${base}/:id/firewalls`,
    body: object({ firewall_ids: list(integer) }, ["firewall_ids"]),
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const ids = request.body.firewall_ids;
      if (!ids.every((id) => world.state.firewalls.some((firewall) => firewall.id === id))) {
        throw invalid("A Firewall by that ID was not found", "firewall_ids");
      }
      instance.firewallIds = ids;
      const data = firewallsOf(instance, world);
      return { data, page: 1, pages: 1, results: data.length };
    },
  }),
];

const firewallsOf = ({ firewallIds }: StoredInstance, { state }: World) =>
  state.firewalls.filter(({ id }) => firewallIds.includes(id)).map(firewallView);

const hasUnfinishedDisk = ({ disks }: StoredInstance): boolean => disks.some(({ status }) => status === "not ready");

const updateConfig = ({ config, disks }: StoredInstance, change: UpdateInstanceConfig): void => {
  if (change.kernel !== undefined && !kernels.some(({ id }) => id === change.kernel)) {
    throw invalid("kernel is not valid", "kernel");
  }
  for (const [slot, device] of Object.entries(change.devices ?? {})) {
    if (typeof device?.disk_id === "number" && !disks.some(({ id }) => id === device.disk_id)) {
      throw invalid("A disk by that ID was not found", `devices.${slot}`);
    }
  }
  config.label = change.label ?? config.label;
  config.comments = change.comments ?? config.comments;
  config.kernel = change.kernel ?? config.kernel;
  config.memory_limit = change.memory_limit ?? config.memory_limit;
  config.root_device = change.root_device ?? config.root_device;
  config.helpers = { ...config.helpers, ...change.helpers };
  config.devices = change.devices === undefined ? config.devices : { ...change.devices };
  config.interfaces = change.interfaces ?? config.interfaces;
};

const createDisk = (
  instance: StoredInstance,
  wanted: { readonly label: string; readonly size: number; readonly filesystem?: string; readonly image?: string },
  world: World,
): StoredDisk => {
  if (wanted.image !== undefined) throw violation("the simulator makes no disks from images", "image");
  if ((instance.status !== "offline" && instance.status !== "running") || hasUnfinishedDisk(instance)) throw busy();
  const used = instance.disks.reduce((sum, { size }) => sum + size, 0);
  if (used + wanted.size > typeOf(instance.type).disk) {
    throw invalid(`Insufficient space: ${typeOf(instance.type).disk - used} MB are left`, "size");
  }
  const disk: StoredDisk = {
    id: world.newId(),
    label: wanted.label,
    filesystem: wanted.filesystem ?? "ext4",
    size: wanted.size,
    created: world.clock.now(),
    status: "not ready",
  };
  instance.disks.push(disk);
  world.timers.set(diskKey(disk), diskReady, world.diskMs);
  return disk;
};

const diskReady = "disk-ready";

const diskKey = ({ id }: Pick<StoredDisk, "id">): string => `disk-${id}`;

/** Says what happens to a disk that was made, once it is. */
export const defineDiskTask = ({ state, timers }: Pick<World, "state" | "timers">): void => {
  timers.define(diskReady, (key) => {
    const disk = state.instances.flatMap(({ disks }) => disks).find((candidate) => diskKey(candidate) === key);
    if (disk !== undefined) disk.status = "ready";
  });
};
