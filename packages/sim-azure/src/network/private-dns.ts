import { boolean, integer, list, object, reply, type Reply, type Route, text } from "@capstan/simulation";
import { refusal, resourceNotFound } from "../arm/refusals.ts";
import { resourceId, same } from "../resource-id.ts";
import { checkEtags } from "../resources/change-rules.ts";
import { findGroup, resourceById } from "../resources/find.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { ref } from "../resources/shapes.ts";
import { etagOf } from "../resources/views.ts";
import { readOnly, writable } from "../resources/writable.ts";
import { groupPath, route } from "../route.ts";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";

const zoneType = "Microsoft.Network/privateDnsZones";
const linkType = `${zoneType}/virtualNetworkLinks`;

const kind = {
  form: "private-dns",
  isGlobal: true,
  hasEtag: true,
  put: { created: 202, updated: 202, state: "Creating", asyncOperation: true, location: true, bare: true },
  delete: { status: 202, asyncOperation: true, location: true },
  durationMs: (_: unknown, world: World) => world.delays.networkMs,
} as const satisfies Partial<ResourceKind>;

const below = (zone: string, type: string, { state }: World) =>
  state.resources.filter((each) => same(each.type, type) && each.id.toLowerCase().startsWith(`${zone.toLowerCase()}/`));

/** Private DNS zones. Machines of the networks that know them find their names; this computer does not resolve them. */
export const privateDnsZones: ResourceKind = {
  ...kind,
  type: zoneType,
  properties: object({
    maxNumberOfRecordSets: readOnly,
    numberOfRecordSets: readOnly,
    maxNumberOfVirtualNetworkLinks: readOnly,
    numberOfVirtualNetworkLinks: readOnly,
    maxNumberOfVirtualNetworkLinksWithRegistration: readOnly,
    numberOfVirtualNetworkLinksWithRegistration: readOnly,
    internalId: readOnly,
    provisioningState: readOnly,
  }),
  prepare: ({ resource }) => {
    if (/^(?:[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?\.)+[a-z0-9]+$/i.test(resource.name)) return;
    throw refusal(400, "BadRequest", `The private DNS zone name '${resource.name}' is not valid.`);
  },
  derived: ({ id }, world) => ({
    resourceGuid: undefined,
    maxNumberOfRecordSets: 25_000,
    maxNumberOfVirtualNetworkLinks: 1000,
    maxNumberOfVirtualNetworkLinksWithRegistration: 100,
    numberOfVirtualNetworkLinksWithRegistration: below(id, linkType, world).filter(
      ({ properties }) => properties["registrationEnabled"] === true,
    ).length,
    numberOfRecordSets: 1 + below(id, `${zoneType}/A`, world).length + below(id, `${zoneType}/AAAA`, world).length,
    numberOfVirtualNetworkLinks: below(id, linkType, world).length,
  }),
  blocker: ({ id, name }, world) =>
    below(id, linkType, world).length === 0
      ? undefined
      : refusal(
          409,
          "CannotDeleteResource",
          `Can not delete resource before nested resources are deleted: the private DNS zone ${name} has virtual network links.`,
        ),
};

interface Link {
  readonly virtualNetwork?: { readonly id: string };
  readonly registrationEnabled?: boolean;
}

/** The virtual networks in which a zone is known. */
export const privateDnsLinks: ResourceKind<Link> = {
  ...kind,
  type: linkType,
  properties: object(
    {
      virtualNetwork: ref,
      registrationEnabled: boolean,
      resolutionPolicy: text({ enum: ["Default", "NxDomainRedirect"] }),
      virtualNetworkLinkState: readOnly,
      provisioningState: readOnly,
    },
    ["virtualNetwork"],
  ),
  prepare: ({ resource }, world) => {
    resource.properties = { registrationEnabled: false, ...resource.properties };
    const zone = resource.id.replace(/\/virtualNetworkLinks\/.*$/i, "");
    const twice = below(zone, linkType, world).find(
      (each) =>
        each.id !== resource.id &&
        same((each.properties as Link).virtualNetwork?.id ?? "", resource.properties.virtualNetwork?.id ?? "-"),
    );
    if (twice === undefined) return;
    throw refusal(
      409,
      "Conflict",
      `A virtual network cannot be linked to multiple zones with overlapping namespaces. You tried to link virtual network to the zone twice: '${twice.name}'.`,
    );
  },
  derived: ({ state }) => ({
    resourceGuid: undefined,
    virtualNetworkLinkState: state === "Succeeded" ? "Completed" : "InProgress",
  }),
};

const recordPath = `${groupPath}/providers/Microsoft.Network/privateDnsZones/:zone`;

const records = {
  A: list(object({ ipv4Address: text({ pattern: /^\d+\.\d+\.\d+\.\d+$/ }) }, ["ipv4Address"])),
  AAAA: list(object({ ipv6Address: text({ pattern: /:/ }) }, ["ipv6Address"])),
} as const;

const recordView = (record: StoredResource, zone: StoredResource): Json => ({
  id: record.id,
  name: record.name,
  type: record.type,
  etag: etagOf(record),
  properties: { fqdn: `${record.name}.${zone.name}.`, isAutoRegistered: false, ...record.properties },
});

const zoneAt = ({ group, zone }: { readonly group: string; readonly zone: string }, world: World): StoredResource => {
  const { name } = findGroup(group, world);
  const found = resourceById(resourceId(world.subscriptionId, name, zoneType, [zone]), world);
  if (found !== undefined) return found;
  throw refusal(
    404,
    "ParentResourceNotFound",
    `Failed to perform operation on nested resource. The parent resource '${zoneType}/${zone}' could not be found.`,
  );
};

const writeRecord = (
  zone: StoredResource,
  {
    type,
    name,
    properties,
    headers,
  }: {
    readonly type: string;
    readonly name: string;
    readonly properties: Json;
    readonly headers: Readonly<Record<string, string>>;
  },
  world: World,
): Reply => {
  const id = `${zone.id}/${type}/${name}`;
  const before = resourceById(id, world);
  checkEtags(headers, id, before);
  const record: StoredResource = {
    id,
    type: `${zoneType}/${type}`,
    name,
    group: zone.group,
    location: "global",
    guid: before?.guid ?? world.newUuid(),
    created: before?.created ?? world.clock.now(),
    tags: undefined,
    revision: (before?.revision ?? 0) + 1,
    state: "Succeeded",
    outer: {},
    properties,
  };
  world.state.resources = [...world.state.resources.filter((each) => each !== before), record];
  return reply(before === undefined ? 201 : 200, recordView(record, zone));
};

const routesOf = (type: keyof typeof records): readonly Route<World>[] => {
  const field = type === "A" ? "aRecords" : "aaaaRecords";
  const path = `${recordPath}/${type}/:name` as const;
  const shape = object(
    {
      ttl: { ...integer, min: 1 },
      metadata: { type: "strings" },
      fqdn: readOnly,
      isAutoRegistered: readOnly,
      [field]: records[type],
    },
    ["ttl"],
  );
  const recordAt = (params: { readonly group: string; readonly zone: string; readonly name: string }, world: World) => {
    const zone = zoneAt(params, world);
    return { zone, record: resourceById(`${zone.id}/${type}/${params.name}`, world) };
  };
  return [
    route({
      method: "PUT",
      path,
      headers: ["If-Match", "If-None-Match"],
      body: object({ id: readOnly, name: readOnly, type: readOnly, etag: readOnly, properties: shape }, ["properties"]),
      handle: ({ params, body, headers }, world) => {
        const properties = writable(body.properties, shape) as Json;
        return writeRecord(zoneAt(params, world), { type, name: params.name, properties, headers }, world);
      },
    }),
    route({
      method: "GET",
      path,
      handle: ({ params }, world) => {
        const { zone, record } = recordAt(params, world);
        if (record === undefined) throw resourceNotFound(`${zoneType}/${type}`, params.name, params.group);
        return recordView(record, zone);
      },
    }),
    route({
      method: "DELETE",
      path,
      headers: ["If-Match"],
      handle: ({ params }, world) => {
        const { record } = recordAt(params, world);
        if (record === undefined) return reply(204);
        world.remove(record);
        return reply(200);
      },
    }),
  ];
};

/** Lists of the records of a zone, of one type or of all. */
const listRoutes: readonly Route<World>[] = (["A", "AAAA", "ALL"] as const).map((type) =>
  route({
    method: "GET",
    path: `${recordPath}/${type}`,
    query: { $top: text(), $recordsetnamesuffix: text() },
    handle: ({ params }, world) => {
      const zone = zoneAt(params, world);
      const types = type === "ALL" ? ["A", "AAAA"] : [type];
      const found = types.flatMap((each) => below(zone.id, `${zoneType}/${each}`, world));
      return { value: found.map((record) => recordView(record, zone)) };
    },
  }),
);

/** Records of private DNS zones. */
export const recordRoutes: readonly Route<World>[] = [...routesOf("A"), ...routesOf("AAAA"), ...listRoutes];
