import { boolean, integer, invalid, notFound, object, type Route, text } from "@capstan/simulation";
import { named } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { linodeSubject, note, settle } from "../events.ts";
import type { StoredBackup, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { newDisk } from "./instance-create.ts";
import { begin } from "./instance-activity.ts";
import { findInstance, requireFree, typeOf } from "./instance-rules.ts";
import { apiTime } from "../times.ts";

const base = "linode/instances/:id/backups";

/** Snapshots, and copies of them; none are made by themselves. */
export const backupRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: base,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const snapshots = instance.backups.map((backup) => backupView(backup, instance));
      return {
        automatic: [],
        snapshot: {
          current: snapshots.findLast(({ status }) => status === "successful") ?? null,
          in_progress: snapshots.findLast(({ status }) => status === "pending") ?? null,
        },
      };
    },
  }),
  route({
    method: "POST",
    path: base,
    body: object({ label: text({ min: 1, max: 255 }) }, ["label"]),
    handle: (request, world) => {
      const instance = findInstance(request, world);
      if (!instance.backupsEnabled) throw invalid("Backups are not enabled for this Linode");
      requireFree(instance);
      const backup: StoredBackup = {
        id: world.newId(),
        type: "snapshot",
        label: request.body.label,
        created: world.clock.now(),
        status: "pending",
        disks: instance.disks.map(({ label, size, filesystem }) => ({ label, size, filesystem })),
      };
      // There is one snapshot: a new one takes the place of the last.
      instance.backups = [...instance.backups.filter(({ status }) => status === "successful").slice(-1), backup];
      note(world, "linode_snapshot", linodeSubject(instance), "started");
      world.timers.set(backupKey(backup), backupReady, world.operationMs);
      return backupView(backup, instance);
    },
  }),
  ...(["enable", "cancel"] as const).map((verb) =>
    route({
      method: "POST",
      path: `${base}/${verb}`,
      handle: (request, world) => {
        const instance = findInstance(request, world);
        instance.backupsEnabled = verb === "enable";
        if (verb === "cancel") instance.backups = [];
        note(world, `backups_${verb}`, linodeSubject(instance));
        return {};
      },
    }),
  ),
  route({
    method: "GET",
    path: `${base}/:backup`,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      return backupView(named(instance.backups, request, "id", "backup"), instance);
    },
  }),
  route({
    method: "POST",
    path: `${base}/:backup/restore`,
    body: object({ linode_id: integer, overwrite: boolean }, ["linode_id"]),
    handle: (request, world) => {
      const { linode_id: id, overwrite = false } = request.body;
      const backup = named(findInstance(request, world).backups, request, "id", "backup");
      if (backup.status !== "successful") throw notFound();
      const target = world.state.instances.find((instance) => instance.id === id);
      if (target === undefined) throw invalid("A Linode by that ID was not found", "linode_id");
      restore(backup, target, overwrite, world);
      return {};
    },
  }),
];

const restore = (backup: StoredBackup, target: StoredInstance, overwrite: boolean, world: World): void => {
  requireFree(target);
  if (overwrite && target.status !== "offline") throw invalid("The Linode must be powered off", "linode_id");
  const kept = overwrite ? [] : target.disks;
  const size = [...kept, ...backup.disks].reduce((sum, disk) => sum + disk.size, 0);
  if (size > typeOf(target.type).disk) throw invalid("Not enough free space on the Linode", "linode_id");
  target.disks = [...kept, ...backup.disks.map((disk) => newDisk(disk, world))];
  note(world, "backups_restore", linodeSubject(target), "started");
  begin(target, "restoring", world);
};

const backupView = (
  { id, type, label, created, status, disks }: StoredBackup,
  { region, configs }: StoredInstance,
) => ({
  id,
  type,
  label,
  status,
  available: status === "successful",
  created: apiTime(created),
  updated: apiTime(created),
  finished: status === "successful" ? apiTime(created) : null,
  region,
  configs: configs.map((config) => config.label),
  disks,
});

const backupReady = "backup-ready";

const backupKey = ({ id }: Pick<StoredBackup, "id">): string => `backup-${id}`;

/** Says what happens to a snapshot, once it is made. */
export const defineBackupTask = (world: Pick<World, "state" | "timers" | "clock">): void => {
  world.timers.define(backupReady, (key) => {
    for (const instance of world.state.instances) {
      for (const backup of instance.backups) {
        if (backupKey(backup) !== key) continue;
        backup.status = "successful";
        instance.backups = [backup];
        settle(world, { type: "linode", id: instance.id }, ["linode_snapshot"]);
      }
    }
  });
};
