import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuestHost } from "@capstan/guest";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterAll, expect, it } from "vitest";
import { base64, bootstrapping, makeVm, vmAt, vmBody } from "./cluster-machine.ts";
import { at, makeNetwork, networkCard } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-azure-restart-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stateOf = async (azure: SimulatedAzure, path: string): Promise<unknown> =>
  (await azure.call("GET", path)).body.properties?.provisioningState;

it("goes on with machines, extensions and operations that were under way", async () => {
  const clock = fakeClock();
  const guest = createGuestHost({ clock, random: seededRandom(7), lenient: true });
  const options = { clock, guest, file: join(folder, "subscription.json") };
  const customData = base64("#cloud-config\nruncmd: [echo success > /run/cluster-api/bootstrap-success.complete]\n");
  const first = await simulate(options);
  await makeNetwork(first);
  await makeVm(first, "ready", { customData });
  await clock.advance(1000);
  const extension = vmAt("ready/extensions/CAPZ.Linux.Bootstrapping");
  await first.call("PUT", extension, {
    body: bootstrapping("sleep 60; test -e /run/cluster-api/bootstrap-success.complete"),
  });
  await first.call("PUT", at("networkInterfaces/new-nic"), { body: networkCard(first, "nodes") });
  const made = await first.call("PUT", vmAt("new"), { body: vmBody(first, "new") });
  await clock.advance(250);
  const operation = new URL(made.headers["azure-asyncoperation"] as string);
  await first[Symbol.asyncDispose]();
  await using second = await simulate(options);
  expect(await stateOf(second, vmAt("new"))).toBe("Creating");
  await clock.advance(1000);
  expect(await stateOf(second, vmAt("new"))).toBe("Succeeded");
  expect(
    (await second.call("GET", `${second.simulator.url}${operation.pathname}${operation.search}`)).body,
  ).toMatchObject({ status: "Succeeded" });
  expect(await stateOf(second, extension)).toBe("Creating");
  await clock.advanceUntil(async () => (await stateOf(second, extension)) !== "Creating", { stepMs: 5000 });
  expect(await stateOf(second, extension)).toBe("Succeeded");
  expect(await stateOf(second, vmAt("ready"))).toBe("Succeeded");
  expect(second.simulator.requests.violations).toEqual([]);
  await guest.stop();
});
