import { isIPv4, isIPv6 } from "node:net";
import { own } from "@capstan/schema";
import {
  integer,
  invalid,
  list,
  notFound,
  object,
  Refusal,
  reply,
  type Route,
  routing,
  text,
} from "@capstan/simulation";

/** The records of one name and type. */
export interface StoredRecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: readonly string[];
}

export interface StoredZone {
  readonly zone: string;
  readonly recordsets: StoredRecordSet[];
}

export interface EdgeDnsWorld {
  readonly state: { readonly edgeZones: readonly StoredZone[] };
}

interface Asked {
  readonly params: { readonly zone: string; readonly name: string; readonly type: string };
}

const route = routing<EdgeDnsWorld>();

const zoneOf = ({ params: { zone } }: { readonly params: { readonly zone: string } }, { state }: EdgeDnsWorld) => {
  const found = state.edgeZones.find((each) => each.zone === zone);
  if (found === undefined) throw notFound(`Zone ${zone} not found`);
  return found;
};

const placeOf = ({ recordsets }: StoredZone, { params: { name, type } }: Asked): number =>
  recordsets.findIndex((each) => each.name === name && each.type === type);

const existing = (zone: StoredZone, request: Asked): number => {
  const place = placeOf(zone, request);
  if (place < 0) throw notFound("The record set does not exist");
  return place;
};

/** As zones write it: eight groups of four digits. */
const expanded = (address: string): string => {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string): readonly string[] => (part === "" ? [] : part.split(":"));
  const [left, right] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join(":");
};

const written: Readonly<Record<string, (data: string) => string | undefined>> = {
  A: (data) => (isIPv4(data) ? data : undefined),
  AAAA: (data) => (isIPv6(data) ? expanded(data) : undefined),
  TXT: (data) => (/^".*"$/.test(data) ? data : undefined),
};

const body = object(
  {
    name: text({ min: 1, max: 255 }),
    type: text({ enum: Object.keys(written) }),
    ttl: { ...integer, min: 30, max: 2_147_483_647 },
    rdata: { ...list(text({ min: 1 })), min: 1 },
  },
  ["name", "type", "ttl", "rdata"],
);

/** The set as it is kept; body and path speak of the same one, of a name in the zone. */
const checked = (set: StoredRecordSet, { params: { name, type, zone } }: Asked): StoredRecordSet => {
  if (set.name !== name) throw invalid("must be the name in the path", "name");
  if (set.type !== type) throw invalid("must be the type in the path", "type");
  if (name !== zone && !name.endsWith(`.${zone}`)) throw invalid("must be in the zone", "name");
  const rdata = set.rdata.map((data) => {
    const value = own(written, type)?.(data);
    if (value === undefined) throw invalid(`${data} is no data of type ${type}`, "rdata");
    return value;
  });
  if (new Set(rdata).size < rdata.length) throw invalid("has the same data twice", "rdata");
  return { ...set, rdata };
};

const path = "config-dns/v2/zones/:zone/names/:name/types/:type";

/** Routes of Edge DNS that an endpoint's records need. */
export const recordSetRoutes: readonly Route<EdgeDnsWorld>[] = [
  route({
    method: "GET",
    path: "config-dns/v2/zones/:zone",
    handle: (request, world) => ({ zone: zoneOf(request, world).zone, type: "PRIMARY", activationState: "ACTIVE" }),
  }),
  route({
    method: "GET",
    path,
    handle: (request, world) => {
      const zone = zoneOf(request, world);
      return zone.recordsets[existing(zone, request)];
    },
  }),
  route({
    method: "POST",
    path,
    body,
    handle: (request, world) => {
      const zone = zoneOf(request, world);
      if (placeOf(zone, request) >= 0) throw new Refusal(409, "The record set exists already");
      const set = checked(request.body, request);
      zone.recordsets.push(set);
      return reply(201, set);
    },
  }),
  route({
    method: "PUT",
    path,
    body,
    handle: (request, world) => {
      const zone = zoneOf(request, world);
      const set = checked(request.body, request);
      zone.recordsets[existing(zone, request)] = set;
      return set;
    },
  }),
  route({
    method: "DELETE",
    path,
    handle: (request, world) => {
      const zone = zoneOf(request, world);
      zone.recordsets.splice(existing(zone, request), 1);
      return reply(204);
    },
  }),
];
