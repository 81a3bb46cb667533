import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { fakeClock, turnsUntil } from "@capstan/testing";
import { afterAll, describe, expect, it } from "vitest";
import { type AuditEvent, auditLogFile } from "../src/index.ts";
import { createApi } from "./conformance/api.ts";
import { startTarget } from "./embedded-server.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-audit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const data = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, "v"]));
const event = (auditID: string, more: Partial<AuditEvent>): AuditEvent => ({ auditID, ...more }) as AuditEvent;
const eventsIn = (path: string): readonly AuditEvent[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditEvent);

describe("bodies in the audit log", () => {
  it("are written while others are served, in the order of the events", async () => {
    const path = join(folder, "long-bodies.log");
    const sink = auditLogFile({ path, clock: fakeClock(), log: silentLogger });
    const long = sink.write(event("first", { requestObject: { data }, responseObject: { items: [{ data }] } }));
    const short = sink.write(event("second", {}));
    const written = Promise.all([long, short]);
    expect(await turnsUntil(written)).toBeGreaterThan(5);
    await written;
    await sink.close();
    expect(eventsIn(path)).toEqual([
      { auditID: "first", requestObject: { data }, responseObject: { items: [{ data }] } },
      { auditID: "second" },
    ]);
  });

  it("are those of long requests and answers", async () => {
    const path = join(folder, "served.log");
    const sink = auditLogFile({ path, clock: fakeClock(), log: silentLogger });
    const { server, target } = await startTarget({
      audit: { sink, policy: { rules: [{ level: "RequestResponse" }] } },
    });
    const api = createApi(target);
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "long" }, data };
    await api.post("/api/v1/namespaces/default/configmaps", map);
    await api.close();
    await server.stop();
    expect(eventsIn(path).filter(({ stage }) => stage === "ResponseComplete")).toMatchObject([
      { requestObject: map, responseObject: { data, metadata: { name: "long" } } },
    ]);
  });
});
