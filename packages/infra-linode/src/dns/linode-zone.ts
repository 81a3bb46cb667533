import type { DomainCalls } from "../cloud/linode-api.ts";
import type { LookUp, ZoneRecord } from "./zone.ts";

/** Zones at Linode. */
export const linodeZones =
  (dns: DomainCalls): LookUp =>
  async ({ name, zone }, call) => {
    const domain = await dns.findDomain(zone, call);
    if (domain === undefined) return undefined;
    const records = await dns.domainRecords(domain.id, name, call);
    const ids = new Map<ZoneRecord, number>(records.map((record) => [record, record.id]));
    return {
      records,
      add: (record, ttlSeconds) => dns.createDomainRecord(domain.id, { ...record, name, ttl_sec: ttlSeconds }, call),
      remove: async (record) => {
        const id = ids.get(record);
        if (id !== undefined) await dns.deleteDomainRecord(domain.id, id, call);
      },
    };
  };
