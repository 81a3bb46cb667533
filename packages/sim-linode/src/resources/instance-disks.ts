import { invalid, object, type Route, type RouteRequest, text, type ValueOf } from "@capstan/simulation";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { linodeSubject, note, settle, type Subject } from "../events.ts";
import type { StoredDisk, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { newDisk } from "./instance-create.ts";
import { checkDeployed, findInstance, imageOf, requireFree, typeOf } from "./instance-rules.ts";
import { createDiskShape, diskLabel, diskSize } from "./instance-shapes.ts";
import { diskView } from "./instance-views.ts";
import { regions } from "../seed.ts";

type Asked = Pick<RouteRequest, "params">;

const base = "linode/instances/:linode/disks";

const ownerOf = ({ params }: Asked, world: World): StoredInstance =>
  findInstance({ params: { id: params["linode"] ?? "" } }, world);

const diskOf = (request: Asked, world: World): StoredDisk =>
  named(ownerOf(request, world).disks, request, "id", "disk");

export const instanceDiskRoutes: readonly Route<World>[] = [
  ...resource({
    path: base,
    filterable: ["id", "label", "size", "status", "filesystem"],
    items: (request, world) => ownerOf(request, world).disks,
    view: (disk, { state }) =>
      diskView(
        disk,
        state.instances.find(({ disks }) => disks.includes(disk))!,
      ),
    event: "disk",
    subject: (_disk, world, request): Subject => linodeSubject(ownerOf(request, world)),
    create: { body: createDiskShape, make: (body, world, request) => createDisk(ownerOf(request, world), body, world) },
    update: { body: object({ label: diskLabel }) },
    remove: (disk, world, request) => {
      const instance = ownerOf(request, world);
      requireFree(instance);
      const used = instance.configs.some(({ devices }) =>
        Object.values(devices).some((each) => each?.disk_id === disk.id),
      );
      if (used && instance.status !== "offline") throw invalid("Linode must be powered off to delete a disk in use");
      for (const { devices } of instance.configs) {
        for (const [slot, each] of Object.entries(devices)) {
          if (each?.disk_id === disk.id) devices[slot as keyof typeof devices] = null;
        }
      }
    },
  }),
  route({
    method: "POST",
    path: `${base}/:disk/resize`,
    body: object({ size: diskSize }, ["size"]),
    handle: (request, world) => {
      const instance = ownerOf(request, world);
      const disk = diskOf(request, world);
      requireFree(instance);
      if (instance.status !== "offline") throw invalid("Linode must be powered off to resize a disk");
      checkSpace(instance, request.body.size - disk.size);
      disk.size = request.body.size;
      work(instance, disk, "disk_resize", world);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/:disk/clone`,
    handle: (request, world) => {
      const instance = ownerOf(request, world);
      const { label, size, filesystem } = diskOf(request, world);
      requireFree(instance);
      checkSpace(instance, size);
      const copy = newDisk({ label: `Copy of ${label}`.slice(0, 48), size, filesystem }, world);
      instance.disks.push(copy);
      work(instance, copy, "disk_duplicate", world);
      return diskView(copy, instance);
    },
  }),
  route({
    method: "POST",
    path: `${base}/:disk/password`,
    body: object({ password: text({ min: 7, max: 128 }) }, ["password"]),
    handle: (request, world) => {
      const instance = ownerOf(request, world);
      diskOf(request, world);
      requireFree(instance);
      if (instance.status !== "offline") throw invalid("Linode must be powered off to reset a password");
      note(world, "password_reset", linodeSubject(instance));
      return {};
    },
  }),
];

const checkSpace = ({ disks, type }: StoredInstance, more: number): void => {
  const used = disks.reduce((sum, { size }) => sum + size, 0);
  if (used + more > typeOf(type).disk) {
    throw invalid(`Insufficient space: ${typeOf(type).disk - used} MB are left`, "size");
  }
};

const createDisk = (instance: StoredInstance, wanted: ValueOf<typeof createDiskShape>, world: World): StoredDisk => {
  requireFree(instance);
  checkSpace(instance, wanted.size);
  checkDeployed(
    wanted,
    regions.find(({ id }) => id === instance.region)!,
    world,
  );
  if (wanted.image !== undefined && imageOf(wanted.image, world.state).size > wanted.size) {
    throw invalid("The disk is too small for this image", "size");
  }
  const filesystem = wanted.filesystem ?? "ext4";
  const encryption = wanted.disk_encryption ?? instance.diskEncryption;
  const label = wanted.label ?? `${filesystem} Disk`;
  const disk = newDisk({ label, filesystem, size: wanted.size, encryption }, world);
  work(instance, disk, undefined, world);
  return disk;
};

/** Keeps a disk busy for a while. */
const work = (instance: StoredInstance, disk: StoredDisk, action: string | undefined, world: World): void => {
  disk.status = "not ready";
  if (action !== undefined) note(world, action, linodeSubject(instance), "started");
  world.timers.set(diskKey(disk), diskReady, world.diskMs);
};

const diskReady = "disk-ready";

const diskKey = ({ id }: Pick<StoredDisk, "id">): string => `disk-${id}`;

/** Says what happens to a disk that was made, once it is. */
export const defineDiskTask = (world: Pick<World, "state" | "timers" | "clock">): void => {
  world.timers.define(diskReady, (key) => {
    for (const { id, disks } of world.state.instances) {
      const disk = disks.find((candidate) => diskKey(candidate) === key);
      if (disk === undefined) continue;
      disk.status = "ready";
      settle(world, { type: "linode", id }, ["disk_resize", "disk_duplicate"]);
    }
  });
};
