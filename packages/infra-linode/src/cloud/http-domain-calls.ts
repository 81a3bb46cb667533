import { filter } from "@capstan/linode-client";
import type { LinodeClient } from "@capstan/linode-client";
import { done, gone, run } from "./guarded.ts";
import type { DomainCalls } from "./linode-api.ts";
import { pageSize } from "./page-size.ts";
import { specFields } from "./spec-fields.ts";

export const domainCalls = ({ domains }: LinodeClient): DomainCalls => ({
  findDomain: (domain, call) =>
    run(`look for the domain ${domain}`, async () => {
      const [found] = await domains.list({ ...call, filter: filter.eq("domain", domain) });
      return found;
    }),
  domainRecords: (id, name, call) =>
    run(`list the records of ${name}`, async () => {
      const all = await domains.listRecords(id, { ...call, pageSize, filter: filter.eq("name", name) });
      return all.filter((record) => record.name === name);
    }),
  createDomainRecord: (id, body, call) =>
    done(
      `add ${body.type ?? ""} record ${body.target ?? ""} to ${body.name ?? ""}`,
      () => domains.createRecord(id, body, call),
      specFields.domainRecord,
    ),
  setRecordTtl: (id, recordId, ttlSeconds, call) =>
    done(
      `set the TTL of record ${recordId} of domain ${id}`,
      () => domains.updateRecord(id, recordId, { ttl_sec: ttlSeconds }, call),
      specFields.domainRecord,
    ),
  deleteDomainRecord: (id, recordId, call) =>
    gone(`remove record ${recordId} from domain ${id}`, () => domains.deleteRecord(id, recordId, call)),
});
