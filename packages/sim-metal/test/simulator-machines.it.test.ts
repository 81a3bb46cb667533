import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GuestMachine } from "@capstan/simulation";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { BootProgram, Host, MetalSimulator } from "../src/index.ts";
import { redfish, reset, startRack, type RackOptions } from "./rack.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-metal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: MetalSimulator[] = [];
afterEach(async () => {
  for (const rack of running.splice(0)) await rack.stop();
});

const start = async (options: RackOptions = {}) => {
  const started = await startRack(options);
  running.push(started.rack);
  return started;
};

/** A program that notes what it is started with, and stays until the power goes. */
const waiting = (boots: BootProgram["boots"], started: Host[]): BootProgram => ({
  name: "waiting",
  boots,
  run: async (host) => {
    started.push(host);
    await host.clock.sleep(1_000_000, { signal: host.signal });
    return "stay";
  },
});

const seed = {
  machines: [
    { name: "a", mac: "52:54:00:00:00:0a", disks: [{ device: "/dev/sda", image: "installed" }] },
    { name: "b", mac: "52:54:00:00:00:0b", firmware: "bios", media: "http://rack/live.iso", power: "on", bmc: "none" },
  ],
} as const;

const system = "/redfish/v1/Systems/1";

describe("a machine of the rack", () => {
  it("gets power and its boot device by Redfish, and boots once from where it was told", async () => {
    const booted: Host[] = [];
    const { rack, clock } = await start({ seed, programs: [waiting(() => true, booted)] });
    expect(await redfish(rack, "a", system)).toMatchObject({ status: 200, body: { PowerState: "Off" } });
    const boot = { BootSourceOverrideTarget: "Pxe", BootSourceOverrideEnabled: "Once" };
    expect((await redfish(rack, "a", system, { method: "PATCH", body: { Boot: boot } })).status).toBe(204);
    expect((await reset(rack, "a", "On")).status).toBe(204);
    await clock.advanceUntil(() => booted.some(({ machine }) => machine.name === "a"), { stepMs: 100 });
    expect(await redfish(rack, "a", system)).toMatchObject({ body: { PowerState: "On" } });
    const machine = rack.rack.state.machines[0]!;
    expect(machine.bootedFrom).toEqual({ kind: "network" });

    booted.length = 0;
    await reset(rack, "a", "PowerCycle");
    await clock.advanceUntil(() => booted.length > 0, { stepMs: 100 });
    expect(machine.bootedFrom).toEqual({ kind: "disk", image: "installed" });

    const [host] = booted;
    await reset(rack, "a", "ForceOff");
    await clock.advanceUntil(() => machine.power === "off", { stepMs: 100 });
    expect(host?.signal.aborted).toBe(true);
    expect(rack.redfish("a").requests.violations).toEqual([]);
  });

  it("refuses credentials that are not its own, and what Redfish does not have", async () => {
    const { rack } = await start({ seed });
    expect((await redfish(rack, "a", system, { authorization: "Basic eDp5" })).status).toBe(401);
    expect((await redfish(rack, "a", "/redfish/v1/", { authorization: "" })).status).toBe(200);
    expect((await redfish(rack, "a", system, { method: "PATCH", body: { Bot: {} } })).status).toBe(400);
    expect(rack.redfish("a").requests.violations).toHaveLength(1);
    expect(() => rack.redfish("b")).toThrow("no machine b with Redfish");
  });

  it("says to its system and in its inventory what its hardware is", async () => {
    const booted: GuestMachine[] = [];
    const system: BootProgram = {
      name: "system",
      boots: () => true,
      run: async (host) => {
        await host.startSystem({ userData: "", metadata: {} });
        return "stay";
      },
    };
    const machine = (name: string, last: string) => ({ name, mac: `52:54:00:00:00:${last}`, power: "on" });
    const { rack, clock } = await start({
      seed: { machines: [{ ...machine("small", "0a"), cpus: 1, memoryMiB: 1024 }, machine("usual", "0b")] },
      programs: [system],
      guest: { boot: (guest) => void booted.push(guest), shutdown: () => undefined },
    });
    await clock.advanceUntil(() => booted.length === 2, { stepMs: 100 });
    expect(Object.fromEntries(booted.map(({ name, hardware }) => [name, hardware]))).toEqual({
      small: { cpus: 1, memoryMiB: 1024 },
      usual: { cpus: 2, memoryMiB: 4096 },
    });
    const listed = (await (await fetch(`${rack.inventory.url}/machines`)).json()) as readonly object[];
    expect(listed[0]).toMatchObject({ cpus: 1, memoryMiB: 1024 });
    await expect(start({ seed: { machines: [{ ...machine("none", "0c"), cpus: 0 }] } })).rejects.toMatchObject({
      code: "metal.simulator_seed",
    });
  });

  it("takes a session and forgets it", async () => {
    const { rack } = await start({ seed });
    const sessions = "/redfish/v1/SessionService/Sessions";
    const body = { UserName: "admin", Password: "simulated-bmc-password" };
    const opened = await redfish(rack, "a", sessions, { method: "POST", body, authorization: "" });
    expect(opened).toMatchObject({ status: 201, headers: { location: `${sessions}/1` } });
    expect((await redfish(rack, "a", `${sessions}/1`, { method: "DELETE" })).status).toBe(204);
    expect(JSON.stringify(rack.redfish("a").requests.log)).not.toContain("simulated-bmc-password");
  });

  it("boots what is in its drive at once when the seed says it has power, and goes on after a restart of the rack", async () => {
    const booted: Host[] = [];
    const options = {
      seed,
      file: join(folder, "rack.json"),
      programs: [waiting(({ kind }) => kind === "media", booted)],
    };
    const first = await start(options);
    await first.clock.advanceUntil(() => booted.length > 0, { stepMs: 100 });
    expect(booted[0]).toMatchObject({ resumed: false, services: first.rack.rack.state.services });
    const { address } = booted[0]!.machine;
    await first.rack.stop();
    expect(booted[0]!.signal.aborted).toBe(true);
    running.length = 0;

    const second = await start(options);
    await second.clock.advanceUntil(() => booted.length > 1, { stepMs: 100 });
    expect(booted[1]).toMatchObject({ resumed: true, machine: { name: "b", address, power: "running" } });
  });

  it("tries its devices again while nothing boots", async () => {
    const { rack, clock } = await start({ seed: { machines: [{ name: "c", mac: "52:54:00:00:00:0c", power: "on" }] } });
    const tries = () =>
      rack.console("c").filter((line) => line === "firmware: no bootable device; trying again").length;
    await clock.advanceUntil(() => tries() > 1, { stepMs: 500 });
    expect(rack.console("c").join("\n")).toContain("auto.ipxe");
  });

  it("halts when its program fails", async () => {
    const failing: BootProgram = { name: "failing", boots: () => true, run: () => Promise.reject(new Error("panic")) };
    const { rack, clock } = await start({ seed, programs: [failing] });
    await clock.advanceUntil(() => rack.console("b").includes("halted: panic"), { stepMs: 100 });
    expect(rack.rack.state.machines[1]!.power).toBe("running");
  });
});

describe("the seed of a rack", () => {
  it("is refused with the field that is wrong", async () => {
    const refused = (given: unknown) => start({ seed: given });
    await expect(refused({ machines: [{ name: "a" }] })).rejects.toThrow(/machines\.0\.mac/);
    const twice = { machines: [seed.machines[0], { name: "z", mac: seed.machines[0].mac }] };
    await expect(refused(twice)).rejects.toMatchObject({
      code: "metal.simulator_seed",
      message: expect.stringMatching(/two machines have the mac/),
    });
  });
});
