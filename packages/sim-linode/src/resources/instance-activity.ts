import { linodeSubject, settle } from "../events.ts";
import type { Activity, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";

const activityDone = "activity-done";

const activityKey = ({ id }: Pick<StoredInstance, "id">): string => `activity-${id}`;

/** Begins something during which the instance does nothing else; one that ran is off meanwhile, and boots again. Done the warm way, it runs until the end, and restarts. */
export const begin = (
  instance: StoredInstance,
  activity: Activity,
  { power, timers, operationMs }: World,
  after: Omit<NonNullable<StoredInstance["after"]>, "boot" | "restart"> & { readonly boot?: boolean } = {},
  way: "warm" | "cold" = "cold",
): void => {
  instance.activity = activity;
  const runs = instance.status === "running";
  const warm = runs && way === "warm";
  instance.after = warm ? { ...after, boot: false, restart: true } : { boot: runs, ...after };
  if (runs && !warm) power.shutdown(instance);
  timers.set(activityKey(instance), activityDone, operationMs);
};

const actions: Readonly<Partial<Record<Activity, readonly string[]>>> = {
  resizing: ["linode_resize", "linode_mutate"],
  rebuilding: ["linode_rebuild"],
  migrating: ["linode_migrate", "linode_migrate_datacenter"],
  cloning: ["linode_clone"],
  restoring: ["backups_restore"],
};

/** Says how an activity ends. */
export const defineActivityTask = (world: Pick<World, "state" | "timers" | "clock" | "power">): void => {
  world.timers.define(activityDone, (key) => {
    const instance = world.state.instances.find((candidate) => activityKey(candidate) === key);
    if (instance?.activity === undefined || instance.status === "deleting") return;
    const { boot = false, restart = false, ...changes } = instance.after ?? {};
    settle(world, linodeSubject(instance), actions[instance.activity] ?? []);
    Object.assign(instance, changes);
    delete instance.activity;
    delete instance.after;
    instance.updated = world.clock.now();
    if (boot) world.power.boot(instance);
    if (restart) world.power.restart(instance);
  });
};
