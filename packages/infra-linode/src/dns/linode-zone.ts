import type { DomainRecord } from "@capstan/linode-client";
import type { DomainCalls } from "../cloud/linode-api.ts";
import type { LookUp, ZoneRecord } from "./zone.ts";

/** Seconds that name servers keep to; another number becomes one of those beside it. */
const knownTtls = [
  0, 30, 120, 300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200,
];

/** Returns whether it can be what was made of the wanted one. */
const isNear = (actual: number, wanted: number): boolean =>
  actual === (knownTtls.findLast((each) => each <= wanted) ?? wanted) ||
  (!knownTtls.includes(wanted) && actual === knownTtls.find((each) => each > wanted));

/** Zones at Linode. */
export const linodeZones =
  (dns: DomainCalls): LookUp =>
  async ({ name, zone }, call) => {
    const domain = await dns.findDomain(zone, call);
    if (domain === undefined) return undefined;
    const records = await dns.domainRecords(domain.id, name, call);
    const known = new Map<ZoneRecord, DomainRecord>(records.map((record) => [record, record]));
    return {
      records,
      add: (record, ttlSeconds) => dns.createDomainRecord(domain.id, { ...record, name, ttl_sec: ttlSeconds }, call),
      remove: async (record) => {
        const id = known.get(record)?.id;
        if (id !== undefined) await dns.deleteDomainRecord(domain.id, id, call);
      },
      lasts: (record, ttlSeconds) => isNear(known.get(record)?.ttl_sec ?? ttlSeconds, ttlSeconds),
      setTtl: async (record, ttlSeconds) => {
        const id = known.get(record)?.id;
        if (id !== undefined) await dns.setRecordTtl(domain.id, id, ttlSeconds, call);
      },
    };
  };
