import type { Image, SharedImage, ShareGroup, ShareGroupMember } from "@capstan/linode-client";
import { invalid, list, notFound, object, type Route, text, type ValueOf } from "@capstan/simulation";
import { collection, pageOf, pageQuery } from "../api/collection.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import type { Mutable, StoredShareGroup, StoredSharedImage } from "../state.ts";
import type { World } from "../world.ts";
import { apiTime } from "../times.ts";

const base = "images/sharegroups";
const label = text({ min: 1, max: 128 });
const description = text({ max: 512 });
const choice = object({ id: text(), label: text({ max: 50 }), description: text({ max: 65_000 }) }, ["id"]);

const all = ({ state }: World): StoredShareGroup[] => (state.shareGroups ??= []);

export const shareGroupOf = (world: World, wanted: Partial<Pick<ShareGroup, "id" | "uuid">>) =>
  all(world).find(({ id, uuid }) => id === wanted.id || uuid === wanted.uuid);

const groupView = ({ images, members, ...shown }: StoredShareGroup): ShareGroup => ({
  ...shown,
  images_count: images.length,
  members_count: members.length,
  expiry: null,
});

/** An image of a group as its owner sees it; none once the image itself is gone. */
const sharedView = (group: StoredShareGroup, shared: StoredSharedImage, { state }: World): readonly SharedImage[] => {
  const image = state.images.find(({ id }) => id === shared.source);
  if (image === undefined) return [];
  const shared_by = {
    sharegroup_id: group.id,
    sharegroup_uuid: group.uuid,
    sharegroup_label: group.label,
    source_image_id: image.id,
  };
  const { id, label: name, description: text, updated = null } = shared;
  return [
    {
      ...image,
      id,
      label: name,
      description: text,
      created_by: null,
      updated,
      is_shared: null,
      image_sharing: { shared_with: null, shared_by },
    },
  ];
};

export const sharedImages = (group: StoredShareGroup, world: World): readonly SharedImage[] =>
  group.images.flatMap((each) => sharedView(group, each, world));

const groupNamed = (request: Parameters<typeof named>[1], world: World): StoredShareGroup =>
  named(all(world), request, "id", "group");

export const shareGroupRoutes: readonly Route<World>[] = [
  ...resource({
    path: base,
    filterable: ["id", "label", "description", "is_suspended", "created", "updated"],
    items: (_request, world) => all(world),
    view: groupView,
    create: {
      body: object({ label, description, images: list(choice) }, ["label"]),
      make: ({ images = [], ...body }, world): StoredShareGroup => {
        const group: StoredShareGroup = {
          id: world.newId(),
          uuid: newUuid(world),
          description: "",
          ...body,
          is_suspended: false,
          created: apiTime(world.clock.now()),
          updated: null,
          images: [],
          members: [],
        };
        addImages(group, images, world);
        return group;
      },
    },
    update: { body: object({ label, description }) },
    remove: ({ members }, world) => {
      for (const { token_uuid } of members) endMembership(token_uuid, world);
    },
  }),
  collection({
    path: "images/:id/sharegroups",
    filterable: ["id", "label"],
    list: ({ params }, world) => {
      if (!world.state.images.some(({ id }) => id === params["id"])) throw notFound();
      return all(world).flatMap((group) =>
        group.images.some(({ source }) => source === params["id"]) ? [groupView(group)] : [],
      );
    },
  }),
  collection({
    path: `${base}/:group/images`,
    filterable: ["id", "label"],
    list: (request, world) => sharedImages(groupNamed(request, world), world),
  }),
  route({
    method: "POST",
    path: `${base}/:group/images`,
    query: pageQuery,
    body: object({ images: list(choice) }, ["images"]),
    handle: (request, world) => {
      const group = groupNamed(request, world);
      addImages(group, request.body.images, world);
      return pageOf(sharedImages(group, world), request.query);
    },
  }),
  route({
    method: "PUT",
    path: `${base}/:group/images/:image`,
    body: object({ label: text({ max: 50 }), description: text({ max: 65_000 }) }),
    handle: (request, world) => {
      const group = groupNamed(request, world);
      const shared = named(group.images, request, "id", "image");
      Object.assign(shared, request.body, { updated: apiTime(world.clock.now()) });
      return sharedView(group, shared, world)[0] ?? {};
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:group/images/:image`,
    handle: (request, world) => {
      const group = groupNamed(request, world);
      const gone = named(group.images, request, "id", "image");
      group.images = group.images.filter((each) => each !== gone);
    },
  }),
  ...resource({
    path: `${base}/:group/members`,
    key: "token_uuid",
    filterable: ["token_uuid", "label", "status"],
    items: (request, world) => groupNamed(request, world).members,
    create: {
      body: object({ token: text(), label }, ["token", "label"]),
      make: (body, world, request) => newMember(body, groupNamed(request, world), world),
    },
    update: { body: object({ label }, ["label"]) },
    remove: ({ token_uuid }, world) => endMembership(token_uuid, world),
  }),
];

export const newUuid = ({ random }: World): string => {
  const hex = Buffer.from(random.bytes(16)).toString("hex");
  const [third, fourth] = [`4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [hex.slice(0, 8), hex.slice(8, 12), third, fourth, hex.slice(20)].join("-");
};

const addImages = (group: StoredShareGroup, wanted: readonly ValueOf<typeof choice>[], world: World): void => {
  for (const [index, { id, ...names }] of wanted.entries()) {
    const image = world.state.images.find((each) => each.id === id);
    if (image === undefined) throw invalid("An image of the account by that ID was not found", `images.${index}.id`);
    if (group.images.some(({ source }) => source === id)) {
      throw invalid("The image is in this share group already", `images.${index}.id`);
    }
    const own = { label: image.label, description: image.description ?? "" };
    group.images.push({ id: `shared/${world.newId()}`, source: id, ...own, ...names });
  }
};

const newMember = (
  { token, label: name }: { readonly token: string; readonly label: string },
  group: StoredShareGroup,
  { state, clock }: World,
): Mutable<ShareGroupMember> => {
  const found = state.shareTokens?.find((each) => each.token === token);
  if (found === undefined || found.valid_for_sharegroup_uuid !== group.uuid) {
    throw invalid("The token is not valid for this share group", "token");
  }
  if (found.status !== "pending") throw invalid("The token has been used", "token");
  const now = apiTime(clock.now());
  Object.assign(found, {
    status: "active",
    sharegroup_uuid: group.uuid,
    sharegroup_label: group.label,
    updated: now,
  });
  return { token_uuid: found.token_uuid, label: name, status: "active", created: now, updated: null, expiry: null };
};

/** A token is good for one membership. */
const endMembership = (uuid: string, { state, clock }: World): void => {
  const found = state.shareTokens?.find(({ token_uuid }) => token_uuid === uuid);
  if (found !== undefined) Object.assign(found, { status: "inactive", updated: apiTime(clock.now()) });
};

/** Whom an image is shared with. */
export const sharingOf = ({ id }: Pick<Image, "id">, world: World): NonNullable<Image["image_sharing"]> => {
  const groups = all(world).filter(({ images }) => images.some(({ source }) => source === id));
  const url = `/v4beta/images/${encodeURIComponent(id)}/sharegroups`;
  return { shared_with: { sharegroup_count: groups.length, sharegroup_list_url: url }, shared_by: null };
};
