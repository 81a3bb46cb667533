import { gunzipSync } from "node:zlib";
import type { Image } from "@capstan/linode-client";
import {
  boolean,
  bytes,
  type Fields,
  integer,
  invalid,
  list,
  notFound,
  object,
  type Route,
  text,
} from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { route } from "../api/route.ts";
import { note, settle, type Subject } from "../events.ts";
import { images, regionWith } from "../seed.ts";
import type { Mutable } from "../state.ts";
import type { World } from "../world.ts";
import { checkQuota } from "./account-rules.ts";
import { sharingOf } from "./share-groups.ts";
import { apiTime } from "../times.ts";

const tags = list(text({ min: 3, max: 100 }), 500);
const fields = { label: text({ max: 50 }), description: text({ nullable: true, max: 65_000 }), tags } satisfies Fields;
const described = { ...fields, description: text({ nullable: true, min: 1, max: 65_000 }) } satisfies Fields;

const subjectOf = ({ id, label }: Image): Subject => ({ id, label, type: "image", url: `/v4/images/${id}` });

/** Images of the account come after those that anybody may use. */
const all = (world: World): readonly Image[] => [...images, ...world.state.images].map((image) => shown(image, world));

const shown = (image: Image, world: World): Image => ({
  is_shared: false,
  ...image,
  image_sharing: image.is_public ? null : sharingOf(image, world),
});

const own = (params: { readonly id: string }, { state }: World): Mutable<Image> => {
  const found = state.images.find(({ id }) => id === params.id);
  if (found === undefined) throw notFound();
  return found;
};

export const imageRoutes: readonly Route<World>[] = [
  collection({
    path: "images",
    filterable: ["id", "deprecated", "is_public", "label", "size", "status", "type", "vendor", "tags"],
    list: (_request, world) => all(world),
  }),
  route({
    method: "GET",
    path: "images/:id",
    handle: ({ params }, world) => {
      const found = all(world).find(({ id }) => id === params.id);
      if (found === undefined) throw notFound();
      return found;
    },
  }),
  route({
    method: "POST",
    path: "images",
    body: object({ ...fields, disk_id: integer, cloud_init: boolean }, ["disk_id"]),
    handle: ({ body }, world) => {
      const owner = world.state.instances.find(({ disks }) => disks.some(({ id }) => id === body.disk_id));
      const disk = owner?.disks.find(({ id }) => id === body.disk_id);
      if (owner === undefined || disk === undefined) throw invalid("A disk by that ID was not found", "disk_id");
      const image = newImage({ label: disk.label, ...body }, "creating", world);
      image.size = disk.size;
      note(world, "disk_imagize", subjectOf(image), "started");
      world.timers.set(imageKey(image), imageReady, world.operationMs);
      return shown(image, world);
    },
  }),
  route({
    method: "POST",
    path: "images/upload",
    body: object({ ...fields, region: text(), cloud_init: boolean }, ["label", "region"]),
    handle: ({ body: { region, ...body }, serverUrl }, world) => {
      if (regionWith(region, "Object Storage") === undefined) throw invalid("region is not valid", "region");
      const image = newImage(body, "pending_upload", world);
      note(world, "image_upload", subjectOf(image), "started");
      // Whoever knows the secret may upload, as with the signed URLs of the API.
      const secret = Buffer.from(world.random.bytes(16)).toString("hex");
      world.state.imageUploads[secret] = image.id;
      return { image: shown(image, world), upload_to: `${serverUrl}/v4/images/uploads/${secret}` };
    },
  }),
  route({
    method: "PUT",
    path: "images/uploads/:secret",
    isPublic: true,
    body: bytes,
    handle: ({ params, body }, world) => {
      const image = own({ id: world.state.imageUploads[params.secret] ?? "" }, world);
      image.size = megabytesIn(body);
      image.status = "creating";
      delete world.state.imageUploads[params.secret];
      world.timers.set(imageKey(image), imageReady, world.operationMs);
    },
  }),
  route({
    method: "PUT",
    path: "images/:id",
    body: object(described),
    handle: ({ params, body }, world) => {
      const image = own(params, world);
      Object.assign(image, body, { updated: apiTime(world.clock.now()) });
      note(world, "image_update", subjectOf(image));
      return shown(image, world);
    },
  }),
  route({
    method: "DELETE",
    path: "images/:id",
    handle: ({ params }, world) => {
      const gone = own(params, world);
      world.state.images = world.state.images.filter((image) => image !== gone);
      note(world, "image_delete", subjectOf(gone));
      return {};
    },
  }),
  route({
    method: "POST",
    path: "images/:id/regions",
    body: object({ regions: list(text()) }, ["regions"]),
    handle: ({ params, body }, world) => {
      const image = own(params, world);
      for (const region of body.regions) {
        if (regionWith(region, "Object Storage") === undefined) throw invalid("region is not valid", "regions");
      }
      image.regions = body.regions.map((region) => ({ region, status: "available" }));
      image.total_size = image.size * body.regions.length;
      return shown(image, world);
    },
  }),
];

/** The size of a disk that comes compressed by gzip. */
const megabytesIn = (compressed: Uint8Array): number => {
  try {
    return Math.ceil(gunzipSync(compressed).length / 1024 ** 2);
  } catch (cause) {
    throw invalid(`The image must be compressed by gzip: ${String(cause)}`);
  }
};

const newImage = (
  wanted: {
    readonly label: string;
    readonly description?: string | null;
    readonly tags?: readonly string[];
    readonly cloud_init?: boolean;
  },
  status: Image["status"],
  world: World,
): Mutable<Image> => {
  checkQuota(world, "images", world.state.images.length);
  const created = apiTime(world.clock.now());
  const image: Mutable<Image> = {
    id: `private/${world.newId()}`,
    label: wanted.label,
    description: wanted.description ?? null,
    type: "manual",
    status,
    is_public: false,
    is_shared: false,
    deprecated: false,
    size: 0,
    total_size: 0,
    vendor: null,
    capabilities: wanted.cloud_init === true ? ["cloud-init"] : [],
    regions: [],
    tags: wanted.tags ?? [],
    created,
    created_by: "simulator",
    updated: created,
    eol: null,
    expiry: null,
  };
  world.state.images.push(image);
  return image;
};

const imageReady = "image-ready";

const imageKey = ({ id }: Pick<Image, "id">): string => `image-${id}`;

/** Says what becomes of an image that was made or uploaded. */
export const defineImageTask = (world: Pick<World, "state" | "timers" | "clock">): void => {
  world.timers.define(imageReady, (key) => {
    const image = world.state.images.find((candidate) => imageKey(candidate) === key);
    if (image === undefined) return;
    image.status = "available";
    settle(world, { type: "image", id: image.id });
  });
};
