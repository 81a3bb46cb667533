import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { type GuestPlan, type MachineModel, type Power, type SimulatedState, simulation } from "../src/index.ts";
import { createServer, recordingGuest, startAcme } from "./acme.ts";
import { createAcmeSimulator } from "./guide/acme-cloud.ts";

const planned = async (plan: GuestPlan) => {
  const guest = recordingGuest();
  const acme = await startAcme({ guest });
  acme.cloud.guestPlans.add(plan);
  await createServer(acme, "web");
  await acme.clock.advance(500);
  const { body } = await acme.call("/servers/1");
  return { acme, guest, state: (body as { readonly state: string }).state };
};

describe("a machine whose guest", () => {
  it("never boots runs for its cloud, and its console says what is planned", async () => {
    const { acme, guest, state } = await planned({ machine: "web", boot: "never", console: "no bootable device" });
    await using _ = acme;
    expect(state).toBe("running");
    expect(guest.booted).toEqual([]);
    expect(acme.power.console("1")).toEqual(["no bootable device"]);
  });

  it("hangs before its bootstrap data comes up", async () => {
    const { acme, guest } = await planned({ bootstrap: "hang", console: "login:\nwaiting" });
    await using _ = acme;
    expect(guest.booted).toEqual([]);
    expect(acme.power.console("1")).toEqual(["login:", "waiting"]);
  });

  it("is slow begins later", async () => {
    const { acme, guest } = await planned({ bootstrapSeconds: 60, console: "booting" });
    await using _ = acme;
    await acme.clock.advance(59_000);
    expect(guest.booted).toEqual([]);
    await acme.clock.advance(1000);
    expect(guest.booted).toMatchObject([{ name: "web", resumed: false, plan: { bootstrapSeconds: 60 } }]);
    expect(acme.power.console("1")).toEqual(["booting", "hello from web"]);
  });
});

it("runs scripts inside while it runs", async () => {
  const acme = await startAcme({ guest: recordingGuest() });
  await createServer(acme, "web");
  const [machine] = acme.cloud.state.servers;
  expect(await acme.power.run(machine!, "true")).toBeUndefined();
  await acme.clock.advance(500);
  expect(await acme.power.run(machine!, "true")).toEqual({ exitCode: 0, stdout: "1: true", stderr: "" });
  await acme[Symbol.asyncDispose]();
});

it("is given up by its simulator, but not forgotten, when it fails", async () => {
  const errors: unknown[] = [];
  const log = {
    ...silentLogger,
    error: (message: string, fields?: object) => void errors.push({ message, ...fields }),
  };
  const guest = {
    boot: () => {
      throw new Error("no kernel");
    },
    shutdown: () => Promise.reject(new Error("stuck")),
  };
  const acme = await startAcme({ guest, log: { ...log, child: () => silentLogger } });
  await createServer(acme, "web");
  await acme.clock.advance(500);
  expect((await acme.call("/servers/1")).body).toMatchObject({ state: "running" });
  await acme.call("/servers/1", { method: "DELETE" });
  await acme.clock.advance(100);
  expect((await acme.call("/servers/1")).status).toBe(404);
  expect(errors).toEqual([
    { message: "guest did not boot", machine: "web", error: "Error: no kernel" },
    { message: "guest did not stop", machine: "web", error: "Error: stuck" },
  ]);
  await acme[Symbol.asyncDispose]();
});

it("that is under way without a timer, as in a state that somebody wrote, starts over", async () => {
  const guest = recordingGuest();
  const clock = fakeClock();
  const acme = await createAcmeSimulator({ clock, random: seededRandom(process.pid), guest });
  for (const [index, power] of (["provisioning", "booting", "stopping", "removing", "off"] as const).entries()) {
    acme.cloud.state.servers.push({ id: index + 1, name: power, userData: "", address: "127.0.0.1", power });
  }
  const states = () => acme.cloud.state.servers.map(({ name, power }) => `${name}: ${power}`);
  await acme.cloud.start();
  await clock.advance(100);
  expect(states()).toEqual(["provisioning: provisioning", "booting: booting", "stopping: off", "off: off"]);
  await clock.advance(400);
  expect(states()).toEqual(["provisioning: running", "booting: running", "stopping: off", "off: off"]);
  expect(guest.stopped.toSorted()).toEqual(["3+", "4"]);
  await acme.cloud.stop();
});

it("restarts with its disk", async () => {
  const guest = recordingGuest();
  await using acme = await startAcme({ guest });
  await createServer(acme, "web");
  await acme.clock.advance(500);
  const [web] = acme.cloud.state.servers;
  acme.power.restart(web!);
  expect(web?.power).toBe("booting");
  await acme.clock.advance(300);
  expect(web?.power).toBe("running");
  expect(guest.stopped).toEqual(["1+"]);
  expect(guest.booted).toHaveLength(2);
});

const modelOf = (kind: string, machine: { power: Power }): MachineModel<typeof machine> => ({
  kind,
  all: () => [machine],
  powerOf: ({ power }) => power,
  become: (_, power) => {
    machine.power = power;
  },
  remove: () => undefined,
  guestOf: () => ({ id: "1", name: kind, userData: "", address: "127.0.0.1", providerID: `${kind}://1` }),
});

it("may be of several models, which keep their timers apart", async () => {
  const clock = fakeClock();
  const state = { version: 1, empty: () => ({}) };
  const cloud = await simulation<SimulatedState>({ name: "two", state }, { clock, random: seededRandom(process.pid) });
  const [host, member] = [{ power: "off" as Power }, { power: "off" as Power }];
  const hosts = cloud.machines(modelOf("host", host), { bootMs: 100 });
  const members = cloud.machines(modelOf("member", member), { bootMs: 200 });
  await cloud.start();
  hosts.boot(host);
  members.boot(member);
  await clock.advance(100);
  expect([host.power, member.power]).toEqual(["running", "booting"]);
  await clock.advance(100);
  expect(member.power).toBe("running");
  await cloud.stop();
});
