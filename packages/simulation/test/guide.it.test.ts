import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { createServer, recordingGuest, startAcme } from "./acme.ts";
import { parseFaults } from "../src/index.ts";
import { createSimulation } from "./guide/create-simulation.ts";

let folder: string | undefined;
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

it("is loaded by the application with what it gives", async () => {
  folder = await mkdtemp(join(tmpdir(), "acme-"));
  const guest = recordingGuest();
  const simulation = await createSimulation({
    clock: fakeClock(),
    random: seededRandom(process.pid),
    log: silentLogger,
    folder: (name) => join(folder ?? "", name),
    port: () => Promise.resolve(0),
    guest: () => guest,
    seed: () => undefined,
  });
  await simulation.start();
  const { cloud, urls, variables, description } = simulation;
  expect(variables).toEqual({ ACME_URL: cloud.endpoint, ACME_TOKEN: cloud.token?.reveal() });
  expect(urls).toEqual({ acme: cloud.endpoint });
  expect(description).toContain(cloud.endpoint);
  const headers = { authorization: `Bearer ${cloud.token?.reveal()}` };
  expect(await (await fetch(`${cloud.endpoint}/servers`, { headers })).json()).toEqual([]);
  await simulation.stop();
  expect(JSON.parse(await readFile(join(folder, "acme", "account.json"), "utf8"))).toMatchObject({ servers: [] });
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

it("fails as it was planned", async () => {
  await using acme = await startAcme();
  const { call } = acme;
  for (const fault of parseFaults("POST /servers lost-answer\nGET /servers/* 503 x3")) acme.api.faults.add(fault);
  await expect(createServer(acme, "web")).rejects.toThrow("fetch failed");
  const states = [];
  for (let tries = 0; tries < 4; tries += 1) states.push((await call("/servers/1")).status);
  expect(states).toEqual([503, 503, 503, 200]);
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
