import type { Volume } from "@capstan/linode-client";
import { boolean, integer, invalid, object, type Route, text, type ValueOf } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { busy } from "../api/refusals.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { tags } from "../api/shapes.ts";
import { note, settle, type Subject } from "../events.ts";
import { regionWith } from "../seed.ts";
import type { Mutable, SimulatorState, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { checkQuota, uniqueLabel } from "./account-rules.ts";
import { findInstance } from "./instance-rules.ts";
import { checkUnlocked, locksOf } from "./locks.ts";
import { attachVolume, forgetVolume } from "./volume-places.ts";
import { apiTime } from "../times.ts";

const label = text({ min: 1, max: 32, pattern: /^[a-zA-Z](?:(?!--|__)[a-zA-Z0-9-_])+$/ });
const size = { type: "integer", min: 10, max: 16_384 } as const;

const createShape = object(
  {
    label,
    size,
    // linodego sends null where there are none.
    tags: { ...tags, nullable: true },
    region: text(),
    linode_id: integer,
    config_id: integer,
    persist_across_boots: boolean,
    encryption: text({ enum: ["enabled", "disabled"] }),
  },
  ["label"],
);

const subjectOf = ({ id, label: name }: Volume): Subject => ({
  id,
  label: name,
  type: "volume",
  url: `/v4/volumes/${id}`,
});

export const volumeView = (volume: Volume, state: SimulatorState): Volume => ({
  ...volume,
  io_ready: volume.status === "active",
  locks: locksOf("volume", volume.id, state),
  linode_label: state.instances.find(({ id }) => id === volume.linode_id)?.label ?? null,
});

export const volumeRoutes: readonly Route<World>[] = [
  ...resource({
    path: "volumes",
    filterable: ["id", "label", "tags", "region", "size", "status", "linode_id"],
    items: (_request, { state }) => state.volumes,
    view: (volume, { state }) => volumeView(volume, state),
    event: "volume",
    create: { body: createShape, make: (body, world) => newVolume(body, world) },
    update: {
      body: object({ label, tags }),
      change: (volume, body, { state }) => {
        uniqueLabel(state.volumes, body.label, volume);
        Object.assign(volume, body);
      },
    },
    remove: (volume, { state }) => {
      checkUnlocked("volume", volume.id, state);
      if (volume.linode_id !== null) throw invalid("This volume must be detached before it can be deleted.");
    },
  }),
  route({
    method: "POST",
    path: "volumes/:id/attach",
    body: object({ linode_id: integer, config_id: integer, persist_across_boots: boolean }, ["linode_id"]),
    handle: (request, world) => {
      const volume = free(named(world.state.volumes, request, "id"));
      if (volume.linode_id !== null) throw invalid("Volume is already attached to a Linode", "linode_id");
      attachVolume(volume, ownerOf(request.body.linode_id, volume.region, world), request.body);
      note(world, "volume_attach", subjectOf(volume));
      return volumeView(volume, world.state);
    },
  }),
  route({
    method: "POST",
    path: "volumes/:id/detach",
    handle: (request, world) => {
      const volume = free(named(world.state.volumes, request, "id"));
      forgetVolume(volume, world.state);
      note(world, "volume_detach", subjectOf(volume));
      return {};
    },
  }),
  route({
    method: "POST",
    path: "volumes/:id/clone",
    body: object({ label }, ["label"]),
    handle: (request, world) => {
      const { region, size: gigabytes, encryption } = free(named(world.state.volumes, request, "id"));
      const wanted = { label: request.body.label, region, size: gigabytes };
      const copy = { ...newVolume(wanted, world), encryption: encryption ?? "disabled" };
      world.state.volumes.push(copy);
      note(world, "volume_clone", subjectOf(copy));
      return volumeView(copy, world.state);
    },
  }),
  route({
    method: "POST",
    path: "volumes/:id/resize",
    body: object({ size }, ["size"]),
    handle: (request, world) => {
      const volume = free(named(world.state.volumes, request, "id"));
      if (request.body.size <= volume.size) throw invalid("Volumes can only be resized up.", "size");
      volume.size = request.body.size;
      work(volume, "resizing", "volume_resize", world);
      return volumeView(volume, world.state);
    },
  }),
  collection({
    path: "linode/instances/:id/volumes",
    filterable: ["id", "label", "tags"],
    list: (request, world) => {
      const { id } = findInstance(request, world);
      return world.state.volumes
        .filter(({ linode_id: owner }) => owner === id)
        .map((volume) => volumeView(volume, world.state));
    },
  }),
];

const free = (volume: Mutable<Volume>): Mutable<Volume> => {
  if (volume.status !== "active") throw busy();
  return volume;
};

const ownerOf = (id: number, region: string | undefined, { state }: World): StoredInstance => {
  const found = state.instances.find((instance) => instance.id === id);
  if (found === undefined) throw invalid("A Linode by that ID was not found", "linode_id");
  if (region !== undefined && found.region !== region) throw invalid("The Linode is in another region", "linode_id");
  return found;
};

const newVolume = (wanted: ValueOf<typeof createShape>, world: World): Mutable<Volume> => {
  const { state } = world;
  checkQuota(world, "volumes", state.volumes.length);
  uniqueLabel(state.volumes, wanted.label);
  const owner = wanted.linode_id === undefined ? undefined : ownerOf(wanted.linode_id, wanted.region, world);
  const region = wanted.region ?? owner?.region;
  if (wanted.config_id !== undefined && owner === undefined) throw invalid("linode_id is required.", "linode_id");
  if (region === undefined) throw invalid("Must provide a region or a Linode ID", "region");
  if (regionWith(region, "Block Storage") === undefined) throw invalid("region is not valid", "region");
  const created = apiTime(world.clock.now());
  const volume: Mutable<Volume> = {
    id: world.newId(),
    label: wanted.label,
    status: "creating",
    region,
    size: wanted.size ?? 20,
    linode_id: null,
    encryption: wanted.encryption ?? "disabled",
    hardware_type: "nvme",
    filesystem_path: `/dev/disk/by-id/scsi-0Linode_Volume_${wanted.label}`,
    tags: wanted.tags ?? [],
    created,
    updated: created,
  };
  if (owner !== undefined) attachVolume(volume, owner, wanted);
  work(volume, "creating", undefined, world);
  return volume;
};

const work = (volume: Mutable<Volume>, status: Volume["status"], action: string | undefined, world: World): void => {
  volume.status = status;
  if (action !== undefined) note(world, action, subjectOf(volume), "started");
  world.timers.set(volumeKey(volume), volumeReady, world.operationMs);
};

const volumeReady = "volume-ready";

const volumeKey = ({ id }: Pick<Volume, "id">): string => `volume-${id}`;

/** Says what becomes of a volume that was made or resized. */
export const defineVolumeTask = (world: Pick<World, "state" | "timers" | "clock">): void => {
  world.timers.define(volumeReady, (key) => {
    const volume = world.state.volumes.find((candidate) => volumeKey(candidate) === key);
    if (volume === undefined) return;
    volume.status = "active";
    settle(world, { type: "volume", id: volume.id });
  });
};
