import type { EntityGrants, Grants, User } from "@capstan/linode-client";
import {
  boolean,
  type Fields,
  integer,
  invalid,
  list,
  object,
  readOnly,
  Refusal,
  text,
  type ValueOf,
} from "@capstan/simulation";
import type { SimulatorState } from "../state.ts";

interface Entity {
  readonly id: number;
  readonly label: string;
}

/** Entities that grants can be given for. Databases and Longview clients are not simulated, so there are none. */
const entities: Readonly<Record<Exclude<keyof Grants, "global">, (state: SimulatorState) => readonly Entity[]>> = {
  database: () => [],
  domain: ({ domains }) => domains.map(({ id, domain }) => ({ id, label: domain })),
  firewall: ({ firewalls }) => firewalls,
  image: ({ images }) => images.map(({ id, label }) => ({ id: Number(id.replace("private/", "")), label })),
  linode: ({ instances }) => instances,
  longview: () => [],
  nodebalancer: ({ nodeBalancers }) => nodeBalancers,
  placement_group: ({ placementGroups }) => placementGroups,
  stackscript: ({ stackScripts }) => stackScripts,
  volume: ({ volumes }) => volumes,
  vpc: ({ vpcs }) => vpcs,
};

const kinds = Object.keys(entities) as readonly (keyof typeof entities)[];

const access = text({ nullable: true, enum: ["read_only", "read_write"] });

const globalFields = {
  account_access: access,
  add_databases: boolean,
  add_domains: boolean,
  add_firewalls: boolean,
  add_images: boolean,
  add_linodes: boolean,
  add_longview: boolean,
  add_nodebalancers: boolean,
  add_placement_groups: boolean,
  add_stackscripts: boolean,
  add_volumes: boolean,
  add_vpcs: boolean,
  cancel_account: boolean,
  child_account_access: { type: "boolean", nullable: true },
  longview_subscription: boolean,
} satisfies Fields;

const each = list(object({ id: integer, permissions: access, label: readOnly(text()) }, ["id", "permissions"]));

export const grantsShape = object({
  global: object(globalFields),
  database: each,
  domain: each,
  firewall: each,
  image: each,
  linode: each,
  longview: each,
  nodebalancer: each,
  placement_group: each,
  stackscript: each,
  volume: each,
  vpc: each,
});

const noGrants = (): Grants["global"] => ({
  ...Object.fromEntries(Object.keys(globalFields).map((name) => [name, false])),
  account_access: null,
  child_account_access: null,
});

/** Those of a restricted user, for everything that the account has; no one asks for those of others. */
export const grantsOf = ({ username, restricted }: User, state: SimulatorState): Grants => {
  if (!restricted) throw new Refusal(204, "The user is not restricted");
  const { global = {}, ...given } = state.account.grants[username] ?? {};
  const ofKind = (kind: (typeof kinds)[number]): EntityGrants =>
    entities[kind](state).map(({ id, label }) => ({ id, label, permissions: given[kind]?.[id] ?? null }));
  return {
    ...(Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])) as Omit<Grants, "global">),
    global: { ...noGrants(), ...global },
  };
};

/** Changes only what is given. */
export const changeGrants = (user: User, wanted: ValueOf<typeof grantsShape>, state: SimulatorState): void => {
  const { username, restricted } = user;
  if (!restricted) throw invalid("An unrestricted user has no grants");
  const before = state.account.grants[username] ?? {};
  const changed = kinds.map((kind) => {
    const known = entities[kind](state);
    const permissions = (wanted[kind] ?? []).map((grant, index) => {
      const found = known.some(({ id }) => id === grant.id);
      if (!found) throw invalid("Nothing by that ID was found", `${kind}.${index}.id`);
      return [grant.id, grant.permissions] as const;
    });
    return [kind, { ...before[kind], ...Object.fromEntries(permissions) }] as const;
  });
  state.account.grants[username] = {
    ...Object.fromEntries(changed),
    global: { ...before.global, ...wanted.global },
  };
};

/** Grants stay with a user who gets another name. */
export const moveGrants = (from: string, to: string | undefined, { account: { grants } }: SimulatorState): void => {
  const found = grants[from];
  if (to === undefined || to === from || found === undefined) return;
  grants[to] = found;
  delete grants[from];
};
