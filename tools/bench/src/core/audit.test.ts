import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AuditLog, countEvents, total, writes } from "./audit.ts";

const line = (verb: string, resource?: string, subresource?: string, requestURI = "/apis/x"): string =>
  JSON.stringify({
    verb,
    requestURI,
    ...(resource !== undefined && { objectRef: { resource, ...(subresource !== undefined && { subresource }) } }),
  });

it.each([
  { events: [], calls: {}, watches: 0, leases: 0, writes: 0 },
  { events: [line("patch", "machines", "status")], calls: { "patch machines/status": 1 }, writes: 1 },
  { events: [line("create", "events"), line("create", "events")], calls: { "create events": 2 }, writes: 2 },
  { events: [line("get", "secrets"), line("list", "nodes")], calls: { "get secrets": 1, "list nodes": 1 }, writes: 0 },
  { events: [line("delete", "machines")], calls: { "delete machines": 1 }, writes: 1 },
  { events: [line("watch", "machines")], watches: 1 },
  { events: [line("update", "leases"), line("get", "leases")], leases: 2 },
  { events: [line("watch", "leases")], watches: 1 },
  { events: [line("get", undefined, undefined, "/apis?timeout=32s")], calls: { "get /apis": 1 }, writes: 0 },
  { events: ["", line("get", "secrets"), ""], calls: { "get secrets": 1 }, writes: 0 },
])("counts $events", ({ events, calls = {}, watches = 0, leases = 0, writes: written = 0 }) => {
  const counted = countEvents(events);
  expect({ ...counted, calls: Object.fromEntries(counted.calls) }).toEqual({ calls, watches, leases });
  expect(writes(counted)).toBe(written);
});

it("takes what was added to the file since the last time, whole lines only", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-audit-"));
  try {
    const path = join(folder, "audit.log");
    const half = line("get", "secrets");
    writeFileSync(path, `${line("create", "machines")}\n${half.slice(0, 10)}`);
    const audit = new AuditLog(path);
    expect([...(await audit.take()).calls]).toEqual([["create machines", 1]]);
    expect(total(await audit.take())).toBe(0);
    appendFileSync(path, `${half.slice(10)}\n${line("get", "secrets")}\n`);
    expect([...(await audit.take()).calls]).toEqual([["get secrets", 2]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
