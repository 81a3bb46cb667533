import type { JoinedShareGroup, ShareGroupToken } from "@capstan/linode-client";
import { invalid, notFound, object, type Route, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import type { StoredShareGroup, StoredShareToken } from "../state.ts";
import type { World } from "../world.ts";
import { newUuid, sharedImages, shareGroupOf } from "./share-groups.ts";
import { apiTime } from "../times.ts";

const base = "images/sharegroups/tokens";
const label = text({ min: 1, max: 128 });

const all = ({ state }: World): StoredShareToken[] => (state.shareTokens ??= []);

const tokenView = ({ token: _token, ...shown }: StoredShareToken): ShareGroupToken => shown;

/** The group that took a token. There is one account here, so it is one of its own. */
const joined = (request: Parameters<typeof named>[1], world: World): StoredShareGroup => {
  const token = named(all(world), request, "token_uuid");
  const group = token.status === "active" ? shareGroupOf(world, { uuid: token.valid_for_sharegroup_uuid }) : undefined;
  if (group === undefined) throw notFound();
  return group;
};

/** Tokens by which the account becomes a member of groups. */
export const shareGroupTokenRoutes: readonly Route<World>[] = [
  ...resource({
    path: base,
    key: "token_uuid",
    filterable: ["token_uuid", "label", "status", "valid_for_sharegroup_uuid", "sharegroup_uuid", "sharegroup_label"],
    items: (_request, world) => all(world),
    view: tokenView,
    create: {
      body: object({ valid_for_sharegroup_uuid: text(), label }, ["valid_for_sharegroup_uuid"]),
      make: ({ label: name = "", valid_for_sharegroup_uuid: uuid }, world): StoredShareToken => {
        if (shareGroupOf(world, { uuid }) === undefined) {
          throw invalid("A share group by that UUID was not found", "valid_for_sharegroup_uuid");
        }
        return {
          token_uuid: newUuid(world),
          token: Buffer.from(world.random.bytes(32)).toString("hex"),
          label: name,
          status: "pending",
          valid_for_sharegroup_uuid: uuid,
          sharegroup_uuid: null,
          sharegroup_label: null,
          created: apiTime(world.clock.now()),
          updated: null,
          expiry: null,
        };
      },
      shown: ({ token }) => ({ token }),
    },
    update: { body: object({ label }, ["label"]) },
    remove: ({ token_uuid: uuid, valid_for_sharegroup_uuid: of }, world) => {
      const group = shareGroupOf(world, { uuid: of });
      if (group !== undefined) group.members = group.members.filter(({ token_uuid: each }) => each !== uuid);
    },
  }),
  route({
    method: "GET",
    path: `${base}/:token_uuid/sharegroup`,
    handle: (request, world): JoinedShareGroup => {
      const { images: _images, members: _members, ...shown } = joined(request, world);
      return shown;
    },
  }),
  collection({
    path: `${base}/:token_uuid/sharegroup/images`,
    filterable: ["id", "label"],
    list: (request, world) =>
      sharedImages(joined(request, world), world).map((image) => ({ ...image, is_shared: true })),
  }),
];
