import { boolean, invalid, object, type Route, text, type ValueOf } from "@capstan/simulation";
import { route } from "../api/route.ts";
import { linodeSubject, note } from "../events.ts";
import { regions } from "../seed.ts";
import type { StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { begin } from "./instance-activity.ts";
import { copyDisks, createInstance, newConfig, newDisks } from "./instance-create.ts";
import { checkDeployed, checkMetadata, findInstance, imageOf, requireFree, typeOf } from "./instance-rules.ts";
import { cloneShape, migrateShape, rebuildShape, rescueShape, resizeShape } from "./instance-shapes.ts";
import { instanceView } from "./instance-views.ts";
import { checkDevices } from "./volume-places.ts";
import { deployedScript } from "./stack-scripts.ts";
import { checkRoom } from "./placement-groups.ts";

const base = "linode/instances/:id";

/** Operations during which an instance does nothing else. */
export const instanceOperationRoutes: readonly Route<World>[] = [
  route({
    method: "POST",
    path: `${base}/resize`,
    body: resizeShape,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      resize(instance, request.body, world);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/mutate`,
    body: object({ allow_auto_disk_resize: boolean }),
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const successor = successorOf(instance);
      requireFree(instance);
      grow(instance, typeOf(successor).disk, request.body.allow_auto_disk_resize);
      note(world, "linode_mutate", linodeSubject(instance), "started");
      begin(instance, "resizing", world, { type: successor });
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/migrate`,
    body: migrateShape,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const { region = instance.region, placement_group: group, type: way = "cold", upgrade = false } = request.body;
      if (!regions.some(({ id }) => id === region)) throw invalid("region is not valid", "region");
      requireFree(instance);
      if (group !== undefined) checkRoom(group.id, region, world, "placement_group.id");
      const stays = region === instance.region;
      if (way === "warm" && !stays) throw invalid("A migration to another region is cold", "type");
      const plan = upgrade ? { type: successorOf(instance, "upgrade") } : {};
      instance.placementGroupId = group?.id ?? (stays ? instance.placementGroupId : null);
      note(world, stays ? "linode_migrate" : "linode_migrate_datacenter", linodeSubject(instance), "started");
      begin(instance, "migrating", world, { region, ...plan }, way);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/rebuild`,
    body: rebuildShape,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      rebuild(instance, request.body, world);
      return instanceView(instance, world.state);
    },
  }),
  route({
    method: "POST",
    path: `${base}/clone`,
    body: cloneShape,
    handle: (request, world) => instanceView(clone(findInstance(request, world), request.body, world), world.state),
  }),
  route({
    method: "POST",
    path: `${base}/rescue`,
    body: rescueShape,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      requireFree(instance);
      checkDevices(request.body.devices ?? {}, instance, world.state);
      instance.rescued = true;
      note(world, "linode_reboot", linodeSubject(instance), "started");
      if (instance.status === "running") world.power.restart(instance);
      else world.power.boot(instance);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/password`,
    body: object({ root_pass: text({ min: 7, max: 128 }) }, ["root_pass"]),
    handle: (request, world) => {
      const instance = findInstance(request, world);
      requireFree(instance);
      if (instance.status !== "offline") throw invalid("Linode must be powered off to reset a password");
      note(world, "password_reset", linodeSubject(instance));
      return {};
    },
  }),
];

const resize = (
  instance: StoredInstance,
  { type, allow_auto_disk_resize: grows, migration_type: way }: ValueOf<typeof resizeShape>,
  world: World,
): void => {
  const { disk } = typeOf(type);
  if (type === instance.type) throw invalid("Linode is already running this service plan.", "type");
  requireFree(instance);
  grow(instance, disk, grows);
  note(world, "linode_resize", linodeSubject(instance), "started");
  begin(instance, "resizing", world, { type }, way);
};

/** The plan that follows its own. */
const successorOf = (instance: StoredInstance, field?: string): string => {
  const { successor } = typeOf(instance.type);
  if (successor === null) throw invalid("This Linode is of the newest generation of its plan already", field);
  return successor;
};

/** Lets its one disk fill a plan, unless that is not wanted. */
const grow = (instance: StoredInstance, disk: number, grows = true): void => {
  const used = instance.disks.reduce((sum, { size }) => sum + size, 0);
  const [first, ...others] = instance.disks.filter(({ filesystem }) => filesystem !== "swap");
  const automatic = grows && first !== undefined && others.length === 0;
  if (used > disk && !automatic) {
    throw invalid("Linode has allocated more disk than the new service plan allows.", "type");
  }
  if (automatic) first.size += disk - used;
};

const rebuild = (instance: StoredInstance, wanted: ValueOf<typeof rebuildShape>, world: World): void => {
  checkDeployed(
    wanted,
    regions.find(({ id }) => id === instance.region)!,
    world,
  );
  requireFree(instance);
  const type = wanted.type ?? instance.type;
  const disks = newDisks({ image: wanted.image, type }, world);
  instance.image = wanted.image;
  instance.userData = wanted.metadata?.user_data ?? "";
  instance.stackScript = deployedScript(wanted, world.state);
  instance.diskEncryption = wanted.disk_encryption ?? instance.diskEncryption;
  instance.disks = disks;
  instance.configs = [newConfig({ image: wanted.image, network_helper: instance.networkHelper }, world, disks)];
  note(world, "linode_rebuild", linodeSubject(instance), "started");
  begin(instance, "rebuilding", world, { type, boot: wanted.booted ?? true });
};

/** Fields that a clone into an existing Linode must not have, because the Linode has them. */
const ofNewLinode = [
  "region",
  "type",
  "label",
  "group",
  "backups_enabled",
  "private_ip",
  "metadata",
  "placement_group",
] as const satisfies readonly (keyof ValueOf<typeof cloneShape>)[];

const refuseForExisting = (wanted: ValueOf<typeof cloneShape>): void => {
  const given = ofNewLinode.find((field) => wanted[field] !== undefined);
  if (given !== undefined) throw invalid(`${given} is for a new Linode; leave it out beside linode_id`, given);
};

/** Copies disks and profiles into a new instance, or into another one. */
const clone = (source: StoredInstance, wanted: ValueOf<typeof cloneShape>, world: World): StoredInstance => {
  const { linode_id: targetId, disks: diskIds, configs: configIds, type, metadata, ...rest } = wanted;
  requireFree(source);
  if (targetId !== undefined) refuseForExisting(wanted);
  const region = regions.find(({ id }) => id === (wanted.region ?? source.region));
  const userData = metadata?.user_data ?? "";
  const image = source.image === null ? undefined : imageOf(source.image, world.state);
  if (region !== undefined) checkMetadata(userData, image, region);
  const disks = source.disks.filter(({ id }) => diskIds?.includes(id) ?? true);
  const configs = source.configs.filter(({ id }) => configIds?.includes(id) ?? true);
  const target =
    targetId === undefined
      ? createInstance(
          { ...rest, type: type ?? required("type"), region: wanted.region ?? required("region"), booted: false },
          world,
        )
      : findInstance({ params: { id: String(targetId) } }, world);
  if (targetId !== undefined) requireFree(target);
  const size = [...target.disks, ...disks].reduce((sum, disk) => sum + disk.size, 0);
  if (size > typeOf(target.type).disk) throw invalid("Not enough free space on the Linode", "linode_id");
  copyDisks({ disks, configs }, target, world);
  target.image = source.image;
  target.userData = userData === "" ? target.userData : userData;
  note(world, "linode_clone", linodeSubject(source), "started", linodeSubject(target));
  begin(source, "cloning", world);
  return target;
};

const required = (field: string): never => {
  throw invalid(`${field} is required.`, field);
};
