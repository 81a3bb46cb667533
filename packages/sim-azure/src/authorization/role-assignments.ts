import { object, reply, type Route, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { isWithin, same } from "../resource-id.ts";
import { resourceById } from "../resources/find.ts";
import { readOnly } from "../resources/writable.ts";
import { route } from "../route.ts";
import type { StoredRoleAssignment } from "../state.ts";
import type { World } from "../world.ts";

const list = "/:scope+/providers/Microsoft.Authorization/roleAssignments";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const roles = [
  ["8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "Owner"],
  ["b24988ac-6180-42a0-ab88-20f7382dd24c", "Contributor"],
  ["acdd72a7-3385-48ef-bd42-f606fba81ae7", "Reader"],
  ["4d97b98b-1d4f-4787-a291-c67834d212e7", "Network Contributor"],
  ["9980e02c-c2be-4d73-94e8-173b1dc7cf3c", "Virtual Machine Contributor"],
  ["f1a07417-d97a-45cb-824c-7a7467783830", "Managed Identity Operator"],
  ["ba92f5b4-2d11-453d-a403-e96b0029c9fe", "Storage Blob Data Contributor"],
  ["7f951dda-4ed3-4680-a7ca-43fe172d538d", "AcrPull"],
] as const;

const view = ({ id, name, scope, principalId, principalType, roleDefinitionId, ...more }: StoredRoleAssignment) => ({
  id,
  name,
  type: "Microsoft.Authorization/roleAssignments",
  properties: {
    roleDefinitionId,
    principalId,
    principalType,
    scope,
    condition: more.condition ?? null,
    conditionVersion: more.conditionVersion ?? null,
    description: more.description ?? null,
    delegatedManagedIdentityResourceId: null,
    createdOn: more.createdOn ?? new Date(0).toISOString(),
    updatedOn: more.createdOn ?? new Date(0).toISOString(),
    createdBy: null,
    updatedBy: more.updatedBy ?? "",
  },
});

/** Where something may be allowed: the subscription, a group, a resource. */
const scopeOf = (scope: string, world: World): string => {
  const id = `/${scope}`;
  const { subscriptionId, state } = world;
  const subscription = `/subscriptions/${subscriptionId}`;
  const [, rest = ""] = new RegExp(`^${subscription}/resourceGroups/([^/]+)$`, "i").exec(id) ?? [];
  const known =
    same(id, subscription) ||
    state.groups.some(({ name }) => same(name, rest)) ||
    resourceById(id, world) !== undefined;
  if (known) return id;
  throw refusal(404, "ScopeNotFound", `The scope '${id}' was not found.`);
};

/** When an identity was made; `undefined` for one that there is none of. */
const bornAt = (principalId: string, { state, principals }: World): number | undefined => {
  if (principals.some(({ objectId }) => same(objectId, principalId))) return 0;
  const owner = state.resources.find(({ outer, properties }) => {
    const { identity } = outer as { readonly identity?: { readonly principalId?: string } };
    return same(identity?.principalId ?? String(properties["principalId"] ?? ""), principalId);
  });
  return owner?.created;
};

const checkPrincipal = (principalId: string, world: World): void => {
  const born = bornAt(principalId, world);
  if (born !== undefined && (born === 0 || born + world.delays.principalMs <= world.clock.now())) return;
  throw refusal(
    400,
    "PrincipalNotFound",
    `Principal ${principalId.replaceAll("-", "")} does not exist in the directory ${world.tenantId}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay.`,
  );
};

const properties = object(
  {
    principalId: text({ min: 1 }),
    roleDefinitionId: text({ min: 1 }),
    principalType: text({ enum: ["User", "Group", "ServicePrincipal", "ForeignGroup", "Device"] }),
    description: text({ nullable: true }),
    condition: text({ nullable: true }),
    conditionVersion: text({ nullable: true }),
    scope: readOnly,
    delegatedManagedIdentityResourceId: readOnly,
    createdOn: readOnly,
    updatedOn: readOnly,
    createdBy: readOnly,
    updatedBy: readOnly,
  },
  ["principalId", "roleDefinitionId"],
);

type Properties = Pick<StoredRoleAssignment, "principalId" | "roleDefinitionId"> & {
  readonly principalType?: string;
  readonly condition?: string | null;
  readonly conditionVersion?: string | null;
  readonly description?: string | null;
};

const assign = (
  scope: string,
  name: string,
  { principalId, roleDefinitionId, principalType = "ServicePrincipal", ...more }: Properties,
  world: World,
) => {
  const at = scopeOf(scope, world);
  if (!uuid.test(name)) {
    throw refusal(
      400,
      "InvalidRoleAssignmentId",
      `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
    );
  }
  const role = roleDefinitionId.split("/").at(-1) ?? "";
  if (
    !/\/providers\/Microsoft\.Authorization\/roleDefinitions\/[^/]+$/i.test(roleDefinitionId) ||
    !roles.some(([id]) => same(id, role))
  ) {
    throw refusal(404, "RoleDefinitionDoesNotExist", `The specified role definition with ID '${role}' does not exist.`);
  }
  checkPrincipal(principalId, world);
  const { roleAssignments } = world.state;
  const { condition, conditionVersion, description } = more;
  const isMeant = (each: StoredRoleAssignment): boolean =>
    same(each.principalId, principalId) &&
    same(each.roleDefinitionId.split("/").at(-1) ?? "", role) &&
    same(each.scope, at);
  const before = find(scope, name, world);
  if (before !== undefined && isMeant(before)) {
    Object.assign(before, { condition, conditionVersion, description });
    return reply(200, view(before));
  }
  const same_ = roleAssignments.find((each) => isMeant(each) || same(each.name, name));
  if (same_ !== undefined) {
    throw refusal(
      409,
      "RoleAssignmentExists",
      `The role assignment already exists. The ID of the existing role assignment is ${same_.name.replaceAll("-", "")}.`,
    );
  }
  const id = `${at}/providers/Microsoft.Authorization/roleAssignments/${name}`;
  const made: StoredRoleAssignment = {
    id,
    name,
    scope: at,
    principalId,
    principalType,
    roleDefinitionId,
    condition,
    conditionVersion,
    description,
    createdOn: new Date(world.clock.now()).toISOString(),
    updatedBy: world.principals[0]?.objectId ?? "",
  };
  roleAssignments.push(made);
  return reply(201, view(made));
};

const find = (scope: string, name: string, { state }: World): StoredRoleAssignment | undefined =>
  state.roleAssignments.find((each) => same(each.name, name) && same(each.scope, `/${scope}`));

const invalidFilter = (filter: string) =>
  refusal(400, "InvalidFilter", `The filter '${filter}' is not supported.`, "$filter");

/** `atScope()`, `principalId eq '...'` or `assignedTo('...')`, or the first with one of the others. */
const assignmentFilter = (filter: string): { readonly atScope: boolean; readonly wanted: string | undefined } => {
  const clauses = filter.trim() === "" ? [] : filter.trim().split(/\s+and\s+/i);
  const ofPrincipal = clauses
    .map((clause) => /^(?:principalId\s+eq\s+'([^']+)'|assignedTo\('([^']+)'\))$/i.exec(clause))
    .flatMap((match) => match?.[1] ?? match?.[2] ?? []);
  const scopes = clauses.filter((clause) => /^atScope\(\)$/i.test(clause));
  if (scopes.length + ofPrincipal.length !== clauses.length || ofPrincipal.length > 1) throw invalidFilter(filter);
  return { atScope: scopes.length > 0, wanted: ofPrincipal[0] };
};

/** `roleName eq '...'`; of what type the roles are says nothing here. */
const roleNameIn = (filter: string): string | undefined => {
  if (/^(?:type\s+eq\s+'BuiltInRole'|atScope\(\))?$/i.test(filter.trim())) return undefined;
  const [, name] = /^roleName\s+eq\s+'([^']+)'$/i.exec(filter.trim()) ?? [];
  if (name === undefined) throw invalidFilter(filter);
  return name;
};

/** Who is allowed what. It is kept; what a principal may do is by the role that it was made with. */
export const authorizationRoutes: readonly Route<World>[] = [
  route({
    method: "PUT",
    path: `${list}/:name`,
    body: object({ id: readOnly, name: readOnly, type: readOnly, properties }, ["properties"]),
    handle: ({ params: { scope, name }, body }, world) => assign(scope, name, body.properties, world),
  }),
  route({
    method: "GET",
    path: `${list}/:name`,
    handle: ({ params: { scope, name } }, world) => {
      const found = find(scope, name, world);
      if (found === undefined) {
        throw refusal(404, "RoleAssignmentNotFound", `The role assignment '${name}' is not found.`);
      }
      return view(found);
    },
  }),
  route({
    method: "DELETE",
    path: `${list}/:name`,
    handle: ({ params: { scope, name } }, world) => {
      const found = find(scope, name, world);
      if (found === undefined) return reply(204);
      world.state.roleAssignments = world.state.roleAssignments.filter((each) => each !== found);
      return view(found);
    },
  }),
  route({
    method: "GET",
    path: list,
    query: { $filter: text() },
    handle: ({ params: { scope }, query: { $filter: filter = "" } }, { state }) => {
      const { atScope, wanted } = assignmentFilter(filter);
      return {
        value: state.roleAssignments
          .filter((each) =>
            atScope
              ? isWithin(`/${scope}`, each.scope)
              : isWithin(each.scope, `/${scope}`) || isWithin(`/${scope}`, each.scope),
          )
          .filter(({ principalId }) => wanted === undefined || same(principalId, wanted))
          .map(view),
      };
    },
  }),
  route({
    method: "GET",
    path: "/:scope+/providers/Microsoft.Authorization/roleDefinitions",
    query: { $filter: text() },
    handle: ({ params: { scope }, query: { $filter: filter = "" } }) => {
      const wanted = roleNameIn(filter);
      return {
        value: roles
          .filter(([, roleName]) => wanted === undefined || same(roleName, wanted))
          .map(([name, roleName]) => ({
            id: `/${scope}/providers/Microsoft.Authorization/roleDefinitions/${name}`,
            name,
            type: "Microsoft.Authorization/roleDefinitions",
            properties: {
              roleName,
              type: "BuiltInRole",
              description: roleName,
              assignableScopes: ["/"],
              permissions: [],
            },
          })),
      };
    },
  }),
];
