import { given } from "../api/given.ts";
import { invalid, object, type Route } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { busy } from "../api/refusals.ts";
import { route } from "../api/route.ts";
import { linodeSubject, note } from "../events.ts";
import type { StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { checkUnlocked } from "./locks.ts";
import { createInstance } from "./instance-create.ts";
import { runningConfig } from "./running-config.ts";
import { bootable, findInstance } from "./instance-rules.ts";
import { createInstanceShape, updateInstanceShape } from "./instance-shapes.ts";
import { addressesView, instanceView } from "./instance-views.ts";

const base = "linode/instances";

const config = object({ config_id: { type: "integer", nullable: true } });

export const instanceRoutes: readonly Route<World>[] = [
  collection({
    path: base,
    filterable: [
      "id",
      "label",
      "region",
      "type",
      "image",
      "group",
      "tags",
      "status",
      "ipv4",
      "placement_group.label",
      "placement_group.placement_group_type",
    ],
    list: (_request, { state }) => state.instances.map((instance) => instanceView(instance, state)),
  }),
  route({
    method: "POST",
    path: base,
    body: createInstanceShape,
    handle: ({ body }, world) => instanceView(createInstance(body, world), world.state),
  }),
  route({
    method: "GET",
    path: `${base}/:id`,
    handle: (request, world) => instanceView(findInstance(request, world), world.state),
  }),
  route({
    method: "PUT",
    path: `${base}/:id`,
    body: updateInstanceShape,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const {
        label,
        group,
        tags,
        alerts,
        backups,
        watchdog_enabled: watchdog,
        maintenance_policy: policy,
      } = request.body;
      if (world.state.instances.some((other) => other !== instance && other.label === label)) {
        throw invalid("Label must be unique among your linodes", "label");
      }
      const { day, window } = backups?.schedule ?? {};
      instance.label = label ?? instance.label;
      instance.group = group ?? instance.group;
      instance.tags = tags ?? instance.tags;
      instance.alerts = { ...instance.alerts, ...alerts };
      instance.maintenancePolicy = policy ?? instance.maintenancePolicy;
      instance.watchdog = watchdog ?? instance.watchdog;
      instance.backupSchedule = {
        day: day ?? instance.backupSchedule.day,
        window: window ?? instance.backupSchedule.window,
      };
      instance.updated = world.clock.now();
      note(world, "linode_update", linodeSubject(instance));
      return instanceView(instance, world.state);
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:id`,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      checkUnlocked("linode", instance.id, world.state);
      if (instance.status !== "deleting") note(world, "linode_delete", linodeSubject(instance), "started");
      world.power.remove(instance);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/boot`,
    body: config,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      if (instance.activity !== undefined || hasUnfinishedDisk(instance)) throw busy();
      bootable(instance);
      chooseConfig(instance, request.body.config_id);
      note(world, "linode_boot", linodeSubject(instance), "started");
      world.power.boot(instance);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/reboot`,
    body: config,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      if (instance.activity !== undefined || instance.status !== "running") throw busy();
      chooseConfig(instance, request.body.config_id);
      note(world, "linode_reboot", linodeSubject(instance), "started");
      instance.activity = "rebooting";
      world.power.restart(instance);
      return {};
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/shutdown`,
    handle: (request, world) => {
      const instance = findInstance(request, world);
      if (instance.activity !== undefined || instance.status !== "running") throw busy();
      note(world, "linode_shutdown", linodeSubject(instance), "started");
      world.power.shutdown(instance);
      return {};
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/ips`,
    handle: (request, world) => addressesView(findInstance(request, world), world.state),
  }),
];

/** Sets the profile of the boot that begins, which is not one of the rescue system. */
const chooseConfig = (instance: StoredInstance, id: number | null | undefined): void => {
  const found = given(id) ? instance.configs.find((each) => each.id === id) : runningConfig(instance);
  if (given(id) && found === undefined) throw invalid("A config by that ID was not found", "config_id");
  if (found !== undefined) instance.configId = found.id;
  delete instance.rescued;
};

const hasUnfinishedDisk = ({ disks }: StoredInstance): boolean => disks.some(({ status }) => status !== "ready");
