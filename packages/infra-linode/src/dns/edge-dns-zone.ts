import type { AddressGuard, Clock, ProxyFor, Random } from "@capstan/contract";
import { httpService } from "@capstan/kit";
import type { HttpService } from "@capstan/kit";
import type { Credentials } from "@capstan/kit/machine";
import { linodeError } from "../cloud/errors.ts";
import type { Call } from "../cloud/linode-api.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { edgeGridAuthorization } from "@capstan/linode-client/edge-grid";
import type { EdgeGridClient } from "@capstan/linode-client/edge-grid";
import { comparable } from "./zone.ts";
import type { DnsName, LookUp, ZoneRecord } from "./zone.ts";

/** Keys of a credentials Secret. */
const secretKey = {
  host: "AKAMAI_HOST",
  accessToken: "AKAMAI_ACCESS_TOKEN",
  clientToken: "AKAMAI_CLIENT_TOKEN",
  clientSecret: "AKAMAI_CLIENT_SECRET",
} as const;

const types = ["A", "AAAA", "TXT"] as const;
type Type = (typeof types)[number];

/** The API's term for the records of one name and type. */
interface RecordSet {
  readonly name: string;
  readonly type: Type;
  readonly ttl: number;
  readonly rdata: readonly string[];
}

type EdgeDnsClient = NonNullable<LinodeProviderOptions["edgeDns"]>;

export interface EdgeDnsOptions {
  /** For those whose Secret names none. */
  readonly client?: EdgeDnsClient | undefined;
  /** Throws where `client` is not for the object. Default: it is for all. */
  readonly permit?: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly proxyFor?: ProxyFor | undefined;
  /** For a host that a Secret names. Default: it may name any. */
  readonly guard?: AddressGuard | undefined;
}

type Method = "get" | "post" | "put" | "delete";

/** Calls of Edge DNS, each signed again: what was signed once is not accepted again, so nothing is repeated here. */
class EdgeDns {
  readonly #client: EdgeGridClient;
  readonly #endpoint: string;
  readonly #options: EdgeDnsOptions;
  readonly #service: HttpService;

  constructor({ host: given, ...client }: EdgeDnsClient, options: EdgeDnsOptions) {
    const host = given.replace(/\/$/, "");
    this.#client = client;
    this.#endpoint = host.includes("://") ? host : `https://${host}`;
    this.#options = options;
    const { clock, guard, proxyFor } = options;
    const isOwn = given === options.client?.host;
    this.#service = httpService({
      name: "edgedns",
      endpoint: this.#endpoint,
      attempts: 1,
      clock,
      errors: { message: ({ body }) => detailOf(body) },
      ...(proxyFor === undefined ? {} : { proxyFor }),
      ...(guard === undefined || isOwn ? {} : { guard }),
    });
  }

  /** `undefined`: there is no such thing. */
  send<T>(method: Method, path: string, call: Call, body?: RecordSet): Promise<T | undefined> {
    const { clock, random } = this.#options;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const authorization = edgeGridAuthorization(this.#client, {
      method: method.toUpperCase(),
      url: new URL(`${this.#endpoint}${path}`),
      body: text,
      time: clock.now(),
      nonce: Buffer.from(random.bytes(16)).toString("hex"),
    });
    const headers = { authorization, ...(text === undefined ? {} : { "content-type": "application/json" }) };
    const missing = method === "get" || method === "delete" ? ({ missing: "ok" } as const) : {};
    return this.#service[method]<T>(path, {
      ...call,
      ...missing,
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
  }
}

const detailOf = (body: unknown): string | undefined => {
  const { detail, title } = (typeof body === "object" ? (body ?? {}) : {}) as Readonly<Record<string, unknown>>;
  const said = detail ?? title;
  return typeof said === "string" ? said : undefined;
};

const zonePath = (zone: string): string => `/config-dns/v2/zones/${encodeURIComponent(zone)}`;

const setPath = ({ name, zone }: DnsName, type: Type): string =>
  `${zonePath(zone)}/names/${encodeURIComponent(`${name}.${zone}`)}/types/${type}`;

/** Texts stand in quotation marks. */
const asData = ({ target, type }: ZoneRecord): string => (type === "TXT" ? `"${target}"` : target);

const asRecord = (type: Type, data: string): ZoneRecord => ({
  type,
  target: type === "TXT" ? data.replace(/^"(.*)"$/, "$1") : data,
});

/** The sets of one name, as they are after each change. */
const setsOf = async (api: EdgeDns, at: DnsName, call: Call): Promise<Map<Type, RecordSet>> => {
  const sets = new Map<Type, RecordSet>();
  for (const type of types) {
    const found = await api.send<RecordSet>("get", setPath(at, type), call);
    if (found !== undefined) sets.set(type, found);
  }
  return sets;
};

/** The Secret's client, where it has one, else the provider's. */
const clientOf = (credentials: Credentials | undefined, { client, permit }: EdgeDnsOptions): EdgeDnsClient => {
  if (client !== undefined && credentials?.optional(secretKey.host) === undefined) {
    permit?.();
    return client;
  }
  if (credentials === undefined) {
    const keys = Object.values(secretKey).join(", ");
    throw linodeError(
      "unauthorized",
      `network.dnsProvider is akamai: name a Secret with the keys ${keys} in spec.credentialsRef`,
    );
  }
  const reveal = (key: string): string => credentials.required(key).reveal();
  return {
    host: reveal(secretKey.host),
    accessToken: reveal(secretKey.accessToken),
    clientToken: reveal(secretKey.clientToken),
    clientSecret: reveal(secretKey.clientSecret),
  };
};

/** Zones at Akamai Edge DNS, with the credentials of a Secret or of the provider. */
export const edgeDnsZones = (credentials: Credentials | undefined, options: EdgeDnsOptions): LookUp => {
  let opened: EdgeDns | undefined;
  const open = (): EdgeDns => (opened ??= new EdgeDns(clientOf(credentials, options), options));
  return async (at, call) => {
    const api = open();
    if ((await api.send("get", zonePath(at.zone), call)) === undefined) return undefined;
    const sets = await setsOf(api, at, call);
    const write = async (type: Type, { rdata, ttl }: Pick<RecordSet, "rdata" | "ttl">): Promise<void> => {
      const before = sets.get(type);
      const set = { name: `${at.name}.${at.zone}`, type, ttl, rdata };
      if (rdata.length === 0) sets.delete(type);
      else sets.set(type, set);
      if (rdata.length === 0) await api.send("delete", setPath(at, type), call);
      else await api.send(before === undefined ? "post" : "put", setPath(at, type), call, set);
    };
    return {
      records: [...sets.values()].flatMap(({ rdata, type }) => rdata.map((data) => asRecord(type, data))),
      add: (record, ttl) =>
        write(record.type, { ttl, rdata: [...(sets.get(record.type)?.rdata ?? []), asData(record)] }),
      remove: async (record) => {
        const type = record.type as Type;
        const set = sets.get(type);
        if (set === undefined) return;
        const rdata = set.rdata.filter((data) => comparable(asRecord(type, data)) !== comparable(record));
        if (rdata.length < set.rdata.length) await write(type, { ttl: set.ttl, rdata });
      },
      lasts: ({ type }, ttl, own) => {
        const set = sets.get(type as Type);
        if (set === undefined || set.ttl === ttl) return true;
        const texts = own.map(comparable);
        // Addresses of the name are all the cluster's; texts are not.
        return type === "TXT" && set.rdata.some((data) => !texts.includes(comparable(asRecord(type, data))));
      },
      setTtl: async ({ type }, ttl) => {
        const set = sets.get(type as Type);
        if (set !== undefined) await write(set.type, { ttl, rdata: set.rdata });
      },
    };
  };
};
