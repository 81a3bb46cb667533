import { isIPv4, isIPv6 } from "node:net";
import type { DomainRecord } from "@capstan/linode-client";
import {
  type Fields,
  integer,
  invalid,
  list,
  object,
  readOnly,
  type Route,
  type RouteRequest,
  text,
} from "@capstan/simulation";
import { freely, named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { port, tags } from "../api/shapes.ts";
import { note, type Subject } from "../events.ts";
import type { Mutable, StoredDomain } from "../state.ts";
import type { World } from "../world.ts";
import { apiTime } from "../times.ts";

const name = text({
  min: 1,
  max: 253,
  pattern: /^(?:\*\.)?(?:[a-zA-Z0-9-_]{1,63}\.)+(?:[a-zA-Z]{2,3}\.)?(?:[a-zA-Z]{2,16}|xn--[a-zA-Z0-9]+)$/,
});
const domainFields = {
  domain: name,
  type: text({ enum: ["master", "slave"] }),
  status: text({ enum: ["disabled", "active"] }),
  soa_email: text({ format: "email" }),
  description: text({ min: 1, max: 253 }),
  group: text({ min: 1, max: 50 }),
  // linodego sends null for lists without entries.
  tags: { ...tags, nullable: true },
  axfr_ips: { ...list(text({ format: "ip" })), nullable: true },
  master_ips: { ...list(text({ format: "ip" })), nullable: true },
  ttl_sec: integer,
  refresh_sec: integer,
  retry_sec: integer,
  expire_sec: integer,
} satisfies Fields;

const optional = text({ nullable: true });
const recordFields = {
  name: text({ max: 100 }),
  target: text({ max: 65_535 }),
  ttl_sec: integer,
  priority: { type: "integer", min: 0, max: 255 },
  weight: { type: "integer", min: 0, max: 65_535 },
  port: { ...port, min: 0 },
  service: optional,
  protocol: optional,
  tag: text({ nullable: true, enum: ["issue", "issuewild", "iodef"] }),
} satisfies Fields;
const recordType = text({ enum: ["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"] });

type Asked = Pick<RouteRequest, "params">;

const parentOf = (request: Asked, { state }: World): StoredDomain => named(state.domains, request, "id", "domain");

const subjectOf = ({ id, domain }: StoredDomain): Subject => ({
  id,
  label: domain,
  type: "domain",
  url: `/v4/domains/${id}`,
});

export const domainRoutes: readonly Route<World>[] = [
  ...resource({
    path: "domains",
    filterable: ["id", "domain", "group", "tags", "type", "status"],
    items: (_request, { state }) => state.domains,
    view: domainView,
    event: "domain",
    subject: subjectOf,
    create: { body: object(domainFields, ["domain", "type"]), make: (body, world) => newDomain(body, world) },
    update: {
      body: object(domainFields),
      change: (domain, body, { state }) => {
        if (body.domain !== undefined) uniqueName(state.domains, body.domain, domain);
        Object.assign(domain, withoutNulls(body), rounded(body));
      },
    },
    remove: freely,
  }),
  route({
    method: "POST",
    path: "domains/import",
    body: object({ domain: name, remote_nameserver: text() }, ["domain", "remote_nameserver"]),
    handle: ({ body: { domain, remote_nameserver: target } }, world) => {
      const imported = newDomain({ domain, type: "master", soa_email: `admin@${domain}` }, world);
      // The one record that is known without asking the name server.
      imported.records.push(newRecord({ type: "NS", target }, world));
      world.state.domains.push(imported);
      note(world, "domain_import", subjectOf(imported));
      return domainView(imported);
    },
  }),
  route({
    method: "POST",
    path: "domains/:id/clone",
    body: object({ domain: name }, ["domain"]),
    handle: (request, world) => {
      const { records, ...original } = named(world.state.domains, request, "id");
      const copy = newDomain({ ...original, domain: request.body.domain }, world);
      copy.records.push(...records.map((record) => ({ ...record, id: world.newId() })));
      world.state.domains.push(copy);
      note(world, "domain_create", subjectOf(copy));
      return domainView(copy);
    },
  }),
  route({
    method: "GET",
    path: "domains/:id/zone-file",
    handle: (request, { state }) => {
      const { domain, records, soa_email: email } = named(state.domains, request, "id");
      return {
        zone_file: [
          `; ${domain} [${request.params.id}]`,
          "$TTL 86400",
          `@  IN  SOA  ns1.linode.com. ${email.replace("@", ".")}. 2021000001 14400 14400 1209600 86400`,
          ...records.map(({ name: host, ttl_sec: ttl, type, target }) =>
            [host === "" ? "@" : host, ttl === 0 ? "" : ttl, "IN", type, target]
              .filter((part) => part !== "")
              .join("  "),
          ),
        ],
      };
    },
  }),
  ...resource({
    path: "domains/:domain/records",
    filterable: ["id", "name", "tag", "target", "type"],
    items: (request, world) => parentOf(request, world).records,
    event: "domain_record",
    subject: (_record, world, request) => subjectOf(parentOf(request, world)),
    create: {
      body: object({ ...recordFields, type: recordType }, ["type"]),
      make: (body, world) => newRecord(body, world),
    },
    update: {
      // A record stays of its type; clients send it nevertheless.
      body: object({ ...recordFields, type: readOnly(recordType) }),
      change: (record, body) => {
        checkTarget({ ...record, ...body });
        Object.assign(record, body, rounded(body));
      },
    },
    remove: freely,
  }),
];

export function domainView({ records: _records, ...rest }: StoredDomain): object {
  const shown = { ...rest, errors: "" };
  return shown;
}

/** Times to live that the name servers know; others become the nearest of these. */
const knownTimes = [
  0, 30, 120, 300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200,
];

const nearest = (seconds: number): number =>
  knownTimes.reduce((best, each) => (Math.abs(each - seconds) < Math.abs(best - seconds) ? each : best));

const rounded = (times: object): object =>
  Object.fromEntries(
    Object.entries(times).flatMap(([field, value]) =>
      field.endsWith("_sec") ? [[field, nearest(value as number)]] : [],
    ),
  );

const uniqueName = (domains: readonly StoredDomain[], domain: string, itself?: StoredDomain): void => {
  if (domains.some((each) => each !== itself && each.domain === domain)) {
    throw invalid("DNS zone already exists.", "domain");
  }
};

type Wanted = Pick<StoredDomain, "domain" | "type"> & { readonly [K in keyof StoredDomain]?: StoredDomain[K] | null };

const withoutNulls = (fields: object): Partial<StoredDomain> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

export const newDomain = (wanted: Wanted, world: World): StoredDomain => {
  uniqueName(world.state.domains, wanted.domain);
  if (wanted.type === "master" && (wanted.soa_email ?? "") === "") {
    throw invalid("soa_email required when type=master", "soa_email");
  }
  if (wanted.type === "slave" && (wanted.master_ips ?? []).length === 0) {
    throw invalid("You need at least one master DNS server IP address for this zone.", "master_ips");
  }
  const created = apiTime(world.clock.now());
  return {
    status: "active",
    soa_email: "",
    description: "",
    group: "",
    tags: [],
    axfr_ips: [],
    master_ips: [],
    ttl_sec: 0,
    refresh_sec: 0,
    retry_sec: 0,
    expire_sec: 0,
    domain: wanted.domain,
    type: wanted.type,
    ...withoutNulls(wanted),
    ...rounded(wanted),
    id: world.newId(),
    created,
    updated: created,
    records: [],
  };
};

const newRecord = (wanted: Pick<DomainRecord, "type"> & Partial<DomainRecord>, world: World): Mutable<DomainRecord> => {
  checkTarget(wanted);
  const created = apiTime(world.clock.now());
  return {
    name: "",
    target: "",
    ttl_sec: 0,
    priority: 0,
    weight: 0,
    port: 0,
    service: null,
    protocol: null,
    tag: null,
    ...wanted,
    ...rounded(wanted),
    id: world.newId(),
    created,
    updated: created,
  };
};

const checkTarget = ({ type, target = "" }: Pick<DomainRecord, "type"> & Partial<DomainRecord>): void => {
  if (type === "A" && !isIPv4(target)) throw invalid("Must be a valid IPv4 address", "target");
  if (type === "AAAA" && !isIPv6(target)) throw invalid("Must be a valid IPv6 address", "target");
  if (target === "") throw invalid("target is required.", "target");
};
