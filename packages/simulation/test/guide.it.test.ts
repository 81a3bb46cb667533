import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { createServer, recordingGuest, startAcme } from "./acme.ts";

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

let folder: string | undefined;
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

it("is the simulator that the guide shows, in less than 120 lines", () => {
  const [, shown] = /```ts\n([\s\S]*?)```/.exec(text("../../../docs/guides/write-a-simulator.md")) ?? [];
  const source = text("./guide/acme-cloud.ts");
  expect(shown).toBe(source);
  expect(source.trimEnd().split("\n").length).toBeLessThan(120);
});

it("makes servers that boot, and removes them", async () => {
  const guest = recordingGuest();
  await using acme = await startAcme({ guest });
  const { call, clock } = acme;
  const created = await call("/servers", { method: "POST", body: { name: "web", userData: "YQ==" } });
  expect(created).toMatchObject({ status: 201, body: { id: 1, name: "web", state: "provisioning" } });
  await clock.advance(500);
  expect((await call("/servers?name=web")).body).toMatchObject([{ id: 1, state: "running" }]);
  expect((await call("/servers?name=db")).body).toEqual([]);
  const { address } = (await call("/servers/1")).body as { readonly address: string };
  expect(guest.booted).toMatchObject([
    {
      id: "1",
      name: "web",
      group: "",
      userData: "YQ==",
      address,
      providerID: "acme://1",
      resumed: false,
      plan: {},
      metadata: { "instance-id": "1", "local-hostname": "web", "local-ipv4": address },
    },
  ]);
  expect((await call("/servers/1", { method: "DELETE" })).status).toBe(202);
  await clock.advance(100);
  expect(await call("/servers/1")).toMatchObject({ status: 404, body: { message: "there is no server 1" } });
  expect(guest.stopped).toEqual(["1"]);
  expect(acme.api.requests.violations).toEqual([]);
});

it("words what it refuses", async () => {
  await using acme = await startAcme();
  const { call } = acme;
  await createServer(acme, "web");
  expect(await call("/servers", { method: "POST", body: { name: "web" } })).toMatchObject({ status: 409 });
  expect(await call("/servers", { headers: { authorization: "Bearer guess" } })).toMatchObject({ status: 401 });
  expect(await call("/servers", { method: "POST", body: { name: "db", size: 1 } })).toMatchObject({
    status: 400,
    body: { message: "is not a field of this request", field: "size" },
  });
  expect(acme.api.requests.violations).toMatchObject([{ method: "POST", path: "/servers", family: "POST /servers" }]);
});

it("goes on after a restart where it was", async () => {
  folder = await mkdtemp(join(tmpdir(), "acme-"));
  const file = join(folder, "acme.json");
  const clock = fakeClock();
  const guest = recordingGuest();
  const before = await startAcme({ clock, guest, file });
  await createServer(before, "web");
  await clock.advance(500);
  await createServer(before, "db");
  await clock.advance(150);
  await before[Symbol.asyncDispose]();
  expect(guest.stopped).toEqual(["1+"]);

  await using after = await startAcme({ clock, guest, file });
  const states = async () =>
    ((await after.call("/servers")).body as { readonly name: string; readonly state: string }[]).map(
      ({ name, state }) => `${name} ${state}`,
    );
  expect(await states()).toEqual(["web running", "db provisioning"]);
  expect(guest.booted.map(({ name, resumed }) => [name, resumed])).toEqual([
    ["web", false],
    ["web", true],
  ]);
  await clock.advance(50);
  expect(await states()).toEqual(["web running", "db booting"]);
  await clock.advance(300);
  expect(await states()).toEqual(["web running", "db running"]);
});
