import type { ProxyToken, Region, RegionServices, ServiceTransfer } from "@capstan/linode-client";
import {
  boolean,
  bytes,
  type Fields,
  integer,
  invalid,
  list,
  notFound,
  object,
  Refusal,
  reply,
  type Route,
  text,
} from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { given } from "../api/given.ts";
import { freely, named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { note, type Subject } from "../events.ts";
import { maintenancePolicies, regionPrices, regions } from "../seed.ts";
import type { Mutable } from "../state.ts";
import { newAccount, owner } from "../stored-account.ts";
import type { World } from "../world.ts";
import { changeGrants, grantsOf, grantsShape, moveGrants } from "./grants.ts";
import { apiTime } from "../times.ts";

const accountSubject: Subject = { id: 0, type: "account", label: "account", url: "/v4/account" };

const limited = (max: number) => text({ max });
const contact = {
  first_name: limited(50),
  last_name: limited(50),
  company: limited(128),
  email: text({ max: 128, format: "email" }),
  phone: limited(32),
  address_1: limited(64),
  address_2: limited(64),
  city: limited(24),
  state: limited(24),
  zip: text(),
  country: text(),
  tax_id: limited(25),
} satisfies Fields;

const username = text({ min: 3, max: 32, pattern: /^[a-zA-Z0-9](?:(?![_-]{2,})[a-zA-Z0-9-_])+[a-zA-Z0-9]$/ });
const userFields = { username, email: text({ format: "email" }), restricted: boolean } satisfies Fields;

const detailRoutes: readonly Route<World>[] = [
  route({ method: "GET", path: "account", handle: (_request, { state }) => state.account.details }),
  route({
    method: "PUT",
    path: "account",
    body: object(contact),
    handle: ({ body }, world) => {
      const { account } = world.state;
      account.details = { ...account.details, ...body };
      note(world, "account_update", accountSubject);
      return account.details;
    },
  }),
  route({
    method: "POST",
    path: "account/cancel",
    body: object({ comments: text() }),
    handle: () => {
      throw new Refusal(409, "The simulated account cannot be canceled: stop the simulator");
    },
  }),
  route({ method: "GET", path: "account/settings", handle: (_request, { state }) => state.account.settings }),
  route({
    method: "PUT",
    path: "account/settings",
    body: object({
      backups_enabled: boolean,
      network_helper: boolean,
      maintenance_policy: text({ enum: maintenancePolicies.map(({ slug }) => slug) }),
      interfaces_for_new_linodes: text({
        // linodego sends null for what it does not change.
        nullable: true,
        enum: [
          "legacy_config_only",
          "legacy_config_default_but_linode_allowed",
          "linode_default_but_legacy_config_allowed",
          "linode_only",
        ],
      }),
    }),
    handle: ({ body: { interfaces_for_new_linodes: interfaces, ...body } }, world) => {
      const { account } = world.state;
      const changed = given(interfaces) ? { ...body, interfaces_for_new_linodes: interfaces } : body;
      account.settings = { ...account.settings, ...changed };
      note(world, "account_settings_update", accountSubject);
      return account.settings;
    },
  }),
  route({
    method: "POST",
    path: "account/settings/managed-enable",
    handle: (_request, { state }) => {
      state.account.settings = { ...state.account.settings, managed: true };
    },
  }),
  route({
    method: "GET",
    path: "account/transfer",
    handle: () => ({
      used: 0,
      quota: 4000,
      billable: 0,
      region_transfers: regionPrices(0, 0).map(({ id }) => ({ id, used: 0, quota: 0, billable: 0 })),
    }),
  }),
  route({ method: "GET", path: "account/agreements", handle: (_request, { state }) => state.account.agreements }),
  route({
    method: "POST",
    path: "account/agreements",
    body: object({ eu_model: boolean, master_service_agreement: boolean, privacy_policy: boolean }),
    handle: ({ body }, { state }) => {
      state.account.agreements = { ...state.account.agreements, ...body };
    },
  }),
  collection({ path: "account/availability", filterable: ["region"], list: () => regions.map(servicesOf) }),
  route({
    method: "GET",
    path: "account/availability/:id",
    handle: (request) => servicesOf(named(regions, request, "id")),
  }),
  collection({
    path: "account/maintenance",
    filterable: ["status", "type", "when"],
    list: (_request, { state }) => state.account.maintenance,
  }),
  collection({
    path: "account/notifications",
    filterable: [],
    list: (_request, { state }) => state.account.notifications,
  }),
  collection({
    path: "account/child-accounts",
    filterable: [
      "address_1",
      "address_2",
      "city",
      "company",
      "country",
      "email",
      "first_name",
      "last_name",
      "phone",
      "state",
      "zip",
    ],
    list: (_request, { state }) => state.account.childAccounts,
  }),
  route({
    method: "GET",
    path: "account/child-accounts/:euuid",
    handle: (request, { state }) => named(state.account.childAccounts, request, "euuid"),
  }),
  route({
    method: "POST",
    path: "account/child-accounts/:euuid/token",
    handle: (request, world): ProxyToken => {
      const { company } = named(world.state.account.childAccounts, request, "euuid");
      const now = world.clock.now();
      return {
        id: world.newId(),
        label: company,
        token: secret(world),
        scopes: "*",
        created: apiTime(now),
        expiry: apiTime(now + tokenLifeMs),
      };
    },
  }),
];

/** Validity of the token of a child account, in milliseconds. */
const tokenLifeMs = 900_000;

function servicesOf({ id, capabilities }: Pick<Region, "id" | "capabilities">): RegionServices {
  return { region: id, available: capabilities, unavailable: [] };
}

const userRoutes: readonly Route<World>[] = [
  ...resource({
    path: "account/users",
    key: "username",
    filterable: ["username"],
    items: (_request, { state }) => state.account.users,
    event: "user",
    create: {
      body: object(userFields, ["username", "email"]),
      make: (body, { state }) => {
        if (state.account.users.some((user) => user.username === body.username)) {
          throw invalid("Username already in use", "username");
        }
        return { ...newAccount().users[0]!, restricted: false, ...body };
      },
    },
    update: {
      body: object(userFields),
      change: (user, body, { state }) => {
        moveGrants(user.username, body.username, state);
        Object.assign(user, body);
      },
    },
    remove: ({ username: name }, { state }) => {
      if (name === owner) throw invalid("You cannot delete your own user");
      delete state.account.grants[name];
    },
  }),
  route({
    method: "GET",
    path: "account/users/:username/grants",
    handle: (request, { state }) => grantsOf(named(state.account.users, request, "username"), state),
  }),
  route({
    method: "PUT",
    path: "account/users/:username/grants",
    body: grantsShape,
    handle: (request, { state }) => {
      const user = named(state.account.users, request, "username");
      changeGrants(user, request.body, state);
      return grantsOf(user, state);
    },
  }),
  collection({ path: "account/logins", filterable: ["username"], list: (_request, { state }) => state.account.logins }),
  route({
    method: "GET",
    path: "account/logins/:id",
    handle: (request, { state }) => named(state.account.logins, request, "id"),
  }),
];

/** Signature at the beginning of every PNG file. */
const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const oauthFields = {
  label: text({ min: 1, max: 512 }),
  redirect_uri: text({ format: "url" }),
  public: boolean,
} satisfies Fields;
const secret = ({ random }: World): string => Buffer.from(random.bytes(32)).toString("hex");

const oauthRoutes: readonly Route<World>[] = [
  ...resource({
    path: "account/oauth-clients",
    filterable: ["label", "public"],
    items: (_request, { state }) => state.account.oauthClients,
    view: (client) => ({ ...client, secret: "<REDACTED>" }),
    event: "oauth_client",
    create: {
      body: object(oauthFields, ["label", "redirect_uri"]),
      make: (body, world) => ({
        public: false,
        ...body,
        id: Buffer.from(world.random.bytes(10)).toString("hex"),
        secret: secret(world),
        status: "active",
        thumbnail_url: null,
      }),
      shown: ({ secret: value }) => ({ secret: value }),
    },
    update: { body: object(oauthFields) },
    remove: ({ id }, { state }) => {
      delete state.account.thumbnails?.[id];
    },
  }),
  route({
    method: "GET",
    path: "account/oauth-clients/:id/thumbnail",
    handle: (request, { state: { account } }) => {
      const { id } = named(account.oauthClients, request, "id");
      const picture = account.thumbnails?.[id];
      if (picture === undefined) throw notFound();
      return reply(200, Buffer.from(picture, "base64"), { "content-type": "image/png" });
    },
  }),
  route({
    method: "PUT",
    path: "account/oauth-clients/:id/thumbnail",
    body: bytes,
    handle: (request, { state: { account } }) => {
      const client = named(account.oauthClients, request, "id");
      const picture = Buffer.from(request.body);
      if (!picture.subarray(0, pngHead.length).equals(pngHead)) throw invalid("Must be a picture of type PNG");
      account.thumbnails = { ...account.thumbnails, [client.id]: picture.toString("base64") };
      client.thumbnail_url = `/account/clients/${client.id}/thumbnail`;
    },
  }),
  route({
    method: "POST",
    path: "account/oauth-clients/:id/reset-secret",
    handle: (request, world) => {
      const client = named(world.state.account.oauthClients, request, "id");
      client.secret = secret(world);
      return client;
    },
  }),
];

/** `entity-transfers` is the older name. */
const transferRoutes: readonly Route<World>[] = ["account/service-transfers", "account/entity-transfers"].flatMap(
  (path) => [
    ...resource({
      path,
      key: "token",
      filterable: ["is_sender", "status"],
      items: (_request, { state }) => state.account.transfers,
      create: {
        body: object({ entities: object({ linodes: list(integer) }) }, ["entities"]),
        make: ({ entities: { linodes = [] } }, world) => newTransfer(linodes, world),
      },
      remove: freely,
    }),
    route({
      method: "POST",
      path: `${path}/:token/accept`,
      handle: (request, { state }) => {
        named(state.account.transfers, request, "token");
        throw invalid("You cannot accept a transfer of your own account");
      },
    }),
  ],
);

const newTransfer = (linodes: readonly number[], { state, clock, random }: World): Mutable<ServiceTransfer> => {
  for (const id of linodes) {
    const instance = state.instances.find((candidate) => candidate.id === id);
    if (instance === undefined) throw invalid("A Linode by that ID was not found", "entities.linodes");
    if (instance.status !== "offline") {
      throw invalid("Linodes must be powered off to be transferred", "entities.linodes");
    }
  }
  const day = 86_400_000;
  return {
    token: Buffer.from(random.bytes(16)).toString("hex"),
    entities: { linodes },
    status: "pending",
    is_sender: true,
    created: apiTime(clock.now()),
    updated: apiTime(clock.now()),
    expiry: apiTime(clock.now() + day),
  };
};

/** The account itself: settings, users, clients and transfers. */
export const accountRoutes: readonly Route<World>[] = [
  ...detailRoutes,
  ...userRoutes,
  ...oauthRoutes,
  ...transferRoutes,
];
