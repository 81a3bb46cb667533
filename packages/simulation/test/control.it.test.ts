import { fakeClock, seededRandom } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { apiService, type SimulatedState, simulation, text } from "../src/index.ts";
import { createServer, recordingGuest, startAcme } from "./acme.ts";

const post = (body: unknown) => ({ method: "POST", body });

describe("requests", () => {
  it("are shown as they were sent, from a number on", async () => {
    await using acme = await startAcme();
    const { call, clock } = acme;
    const { body: latest } = await call("/_simulator/requests?since=latest");
    expect(latest).toEqual({ next: 0, items: [] });
    await createServer(acme, "web", "c2VjcmV0");
    await call("/servers?name=web", { headers: { "user-agent": "acme-cli/1", "if-match": '"7"' } });
    await call("/machines");
    const { body } = await call("/_simulator/requests?since=0");
    const time = new Date(clock.now()).toISOString();
    expect(body).toMatchObject({
      next: 3,
      items: [
        { time, method: "POST", path: "/servers", status: 201, body: { name: "web", userData: "[redacted]" } },
        {
          time,
          method: "GET",
          path: "/servers",
          query: "name=web",
          status: 200,
          userAgent: "acme-cli/1",
          ifMatch: '"7"',
        },
        {
          method: "GET",
          path: "/machines",
          status: 400,
          violation: true,
          reason: "/machines is not a path of this API",
        },
      ],
    });
    expect((await call("/_simulator/requests?since=2")).body).toMatchObject({
      next: 3,
      items: [{ path: "/machines" }],
    });
    expect((await call("/_simulator/requests?since=latest")).body).toEqual({ next: 3, items: [] });
    expect((await call("/_simulator/requests?since=soon")).status).toBe(400);
  });

  it("of another service are named, and there is an error for one that does not exist", async () => {
    await using acme = await startAcme();
    expect((await acme.call("/_simulator/requests?service=api")).status).toBe(200);
    expect(await acme.call("/_simulator/requests?service=storage")).toMatchObject({
      status: 404,
      body: { error: { message: "There is no service storage; there are api" } },
    });
  });
});

it.each(["/_simulator", "/_simulator/", "/_simulator/nope"])("%s says what there is", async (path) => {
  await using acme = await startAcme();
  const { status, body } = await acme.call(path);
  expect(status).toBe(404);
  expect(body).toMatchObject({
    error: {
      message: `${path} is not a path of this API; there are /_simulator/requests, /_simulator/faults, /_simulator/throttle, /_simulator/speed, /_simulator/snapshot, /_simulator/console, /_simulator/guests`,
    },
  });
});

describe("faults", () => {
  it("are planned, shown and taken away", async () => {
    await using acme = await startAcme();
    const { call } = acme;
    const action = { kind: "status", status: 503, code: "Down", message: "not now", headers: { "retry-after": "3" } };
    const fault = { method: "GET", path: "SERVERS/\\d+$", nth: 2, times: 1, group: "mine", action };
    expect(await call("/_simulator/faults", post(fault))).toMatchObject({ status: 201 });
    expect((await call("/_simulator/faults")).body).toEqual({ items: [fault] });
    await createServer(acme, "web");
    expect((await call("/servers/1")).status).toBe(200);
    const refused = await call("/servers/1");
    expect(refused).toMatchObject({ status: 503, body: { message: "not now" } });
    expect(refused.headers.get("retry-after")).toBe("3");
    expect((await call("/_simulator/faults")).body).toEqual({ items: [] });
  });

  it("are taken away by group, or all", async () => {
    await using acme = await startAcme();
    const { call } = acme;
    const plan = (group?: string) => call("/_simulator/faults", post({ group, action: { kind: "reset" } }));
    await plan("mine");
    await plan("yours");
    await plan();
    expect((await call("/_simulator/faults?group=mine", { method: "DELETE" })).status).toBe(204);
    expect((await call("/_simulator/faults")).body).toMatchObject({ items: [{ group: "yours" }, {}] });
    await call("/_simulator/faults", { method: "DELETE" });
    expect((await call("/servers")).status).toBe(200);
  });

  it("are planned by a script", async () => {
    await using acme = await startAcme();
    const { call } = acme;
    const script = "POST /servers 503 x2; GET /servers/* html x*";
    await call("/_simulator/faults", post({ script, group: "mine" }));
    expect((await call("/_simulator/faults")).body).toEqual({
      items: [
        { method: "POST", path: "^/?servers$", times: 2, group: "mine", action: { kind: "status", status: 503 } },
        { method: "GET", path: "^/?servers/[^/]+$", times: "always", group: "mine", action: { kind: "html" } },
      ],
    });
    expect((await call("/servers", post({ name: "web" }))).status).toBe(503);
  });

  it("are planned for the service whose name stands before a script", async () => {
    await using acme = await startAcme();
    const { call } = acme;
    const script = "GET /servers 503";
    expect(await call("/_simulator/faults", post({ script: `api ${script}` }))).toMatchObject({ status: 201 });
    expect(await call("/_simulator/faults", post({ script: `moon ${script}` }))).toMatchObject({ status: 404 });
    expect((await call("/servers")).status).toBe(503);
  });

  it("look at the body of a request", async () => {
    await using acme = await startAcme();
    const { call } = acme;
    const action = { kind: "status", status: 500 };
    await call("/_simulator/faults", post({ body: { name: "db" }, action }));
    expect((await call("/servers", post({ name: "web" }))).status).toBe(201);
    expect((await call("/servers", post({ name: "db" }))).status).toBe(500);
  });

  it.each([
    [{}, "action or script is required"],
    [{ action: { kind: "explode" } }, "Must be one of"],
    [{ action: { kind: "status" } }, "status is required"],
    [{ action: { kind: "delay" } }, "ms is required"],
    [{ path: "(", action: { kind: "reset" } }, "is not a regular expression"],
    [{ times: 0, action: { kind: "reset" } }, "Must be at least 1"],
    [{ colour: "red", action: { kind: "reset" } }, "is not a field of this request"],
    [{ script: "GET / explode" }, "explode is neither a status nor an action"],
    [{ action: { kind: "operation-vanishes" } }, "begins no operations"],
  ])("that cannot be planned are refused: %j", async (fault, message) => {
    await using acme = await startAcme();
    expect(await acme.call("/_simulator/faults", post(fault))).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(message) as string } },
    });
    expect(acme.api.faults.pending()).toEqual([]);
  });
});

describe("guests", () => {
  it("are planned, shown with the machines there are, and taken away", async () => {
    const guest = recordingGuest();
    await using acme = await startAcme({ guest });
    const { call, clock } = acme;
    const plan = { machine: "web", group: "", boot: "never" };
    expect((await call("/_simulator/guests", post(plan))).status).toBe(201);
    await createServer(acme, "web");
    await createServer(acme, "db");
    await clock.advance(500);
    expect(guest.booted.map(({ name }) => name)).toEqual(["db"]);
    expect((await call("/_simulator/guests")).body).toEqual({
      plans: [plan],
      machines: [
        { id: "1", name: "web", group: "", power: "running" },
        { id: "2", name: "db", group: "", power: "running" },
      ],
    });
    expect((await call("/_simulator/guests", { method: "DELETE" })).status).toBe(204);
    expect((await call("/_simulator/guests")).body).toMatchObject({ plans: [] });
    expect((await call("/_simulator/guests", post({ boot: "later" }))).status).toBe(400);
  });
});

describe("throttle", () => {
  it("slows the service down until it is taken away", async () => {
    await using acme = await startAcme();
    const { call, clock } = acme;
    const rates = { readsPerSecond: 1 };
    expect(await call("/_simulator/throttle", { method: "PUT", body: rates })).toMatchObject({
      status: 200,
      body: rates,
    });
    expect((await call("/_simulator/throttle")).body).toEqual(rates);
    expect((await call("/servers")).status).toBe(200);
    const refused = await call("/servers");
    expect(refused).toMatchObject({ status: 429, body: { message: "Too many requests" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    await clock.advance(1000);
    expect((await call("/servers")).status).toBe(200);
    await call("/_simulator/throttle", { method: "PUT", body: {} });
    expect((await call("/servers")).status).toBe(200);
    await call("/_simulator/throttle", { method: "PUT", body: rates });
    expect((await call("/_simulator/throttle", { method: "DELETE" })).status).toBe(204);
    for (const _ of [1, 2]) expect((await call("/servers")).status).toBe(200);
  });
});

describe("console", () => {
  it("shows what machines print, in the order in which they did, from a number on", async () => {
    const guest = recordingGuest();
    await using acme = await startAcme({ guest });
    const { call, clock } = acme;
    await createServer(acme, "web");
    await createServer(acme, "db");
    expect((await call("/_simulator/console")).body).toEqual({ next: 0, items: [] });
    await clock.advance(500);
    const time = new Date(clock.now()).toISOString();
    const line = { time, group: "" };
    const web = { ...line, id: "1", name: "web", providerID: "acme://1", text: "hello from web" };
    const db = { ...line, id: "2", name: "db", providerID: "acme://2", text: "hello from db" };
    expect((await call("/_simulator/console?since=0")).body).toEqual({ next: 2, items: [web, db] });
    expect((await call("/_simulator/console?since=1")).body).toEqual({ next: 2, items: [db] });
    expect((await call("/_simulator/console?since=latest")).body).toEqual({ next: 2, items: [] });
    for (const query of ["machine=db", "id=2", "providerID=acme://2"]) {
      expect((await call(`/_simulator/console?${query}`)).body).toEqual({ next: 2, items: [db] });
    }
    expect((await call("/_simulator/console?group=blue")).body).toEqual({ next: 2, items: [] });
    expect((await call("/_simulator/console?since=soon")).status).toBe(400);
  });
});

describe("speed", () => {
  it("is how many times faster machines are made from then on", async () => {
    const guest = recordingGuest();
    await using acme = await startAcme({ guest });
    const { call, clock } = acme;
    expect((await call("/_simulator/speed")).body).toEqual({ factor: 1 });
    expect((await call("/_simulator/speed", { method: "PUT", body: { factor: 10 } })).body).toEqual({ factor: 10 });
    await createServer(acme, "fast");
    await clock.advance(50);
    expect(guest.booted.map(({ name }) => name)).toEqual(["fast"]);
    expect((await call("/_simulator/speed", { method: "DELETE" })).status).toBe(204);
    await createServer(acme, "usual");
    await clock.advance(50);
    expect(guest.booted).toHaveLength(1);
    await clock.advance(450);
    expect(guest.booted).toHaveLength(2);
    for (const body of [{}, { factor: 0 }]) {
      expect((await call("/_simulator/speed", { method: "PUT", body })).status).toBe(400);
    }
  });
});

it("speaks of machines and groups as the vendor does", async () => {
  const cloud = await simulation<SimulatedState>(
    {
      name: "azimuth",
      state: { version: 1, empty: () => ({}) },
      control: {
        machineField: "vm",
        guestFields: { agent: text({ enum: ["missing"] }) },
        inGroup: ({ path }, group) => String(path).includes(`/groups/${group}/`),
      },
    },
    { clock: fakeClock(), random: seededRandom(process.pid) },
  );
  const service = apiService({ cloud, world: {}, routes: [], wordRefusal: ({ message }) => ({ message }) });
  const server = cloud.server();
  const { faults } = server.serve("arm", service);
  await cloud.start();
  const call = (path: string, init: RequestInit) => fetch(`${server.url}/_simulator/${path}`, init);
  const plan = { group: "blue", vm: "web", agent: "missing" };
  expect((await call("guests", { method: "POST", body: JSON.stringify(plan) })).status).toBe(201);
  expect(cloud.guestPlans.for({ name: "WEB", group: "Blue" })).toEqual({
    group: "blue",
    machine: "web",
    agent: "missing",
  });
  expect(await (await call("guests", {})).json()).toMatchObject({ plans: [plan] });
  for (const group of ["blue", "red"]) faults.add({ path: `/groups/${group}/vms/*`, action: { kind: "reset" } });
  await call("faults?group=blue", { method: "DELETE" });
  expect(faults.pending()).toMatchObject([{ path: "/groups/red/vms/*" }]);
  await cloud.stop();
});

it("is strict, and not in the log of the service", async () => {
  await using acme = await startAcme();
  expect((await acme.call("/_simulator/nothing")).status).toBe(404);
  expect((await acme.call("/_simulator/console", post({}))).status).toBe(405);
  expect((await acme.call("/_simulator/requests?all=1")).status).toBe(400);
  expect(acme.api.requests.next).toBe(0);
});
