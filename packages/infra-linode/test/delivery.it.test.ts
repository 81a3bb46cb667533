import { createHash, randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { conditionOf } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import type { LinodeCluster } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createStoreSecret,
  getCluster,
  getMachine,
  readyOf,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

const clusterOf = async (world: World, objectStore?: LinodeCluster["spec"]["objectStore"]): Promise<void> => {
  await createCluster(world, "prod", objectStore === undefined ? {} : { objectStore });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
};

const isReady = async (world: World, name: string): Promise<boolean> =>
  (await getMachine(world, name))?.status?.ready === true;

const userDataOf = ({ simulator }: World, label: string): Buffer =>
  Buffer.from(simulator.state.instances.find((each) => each.label === label)?.userData ?? "", "base64");

/** Cloud-config that does not compress. */
const varied = (size: number): Buffer =>
  Buffer.concat([Buffer.from("#cloud-config\n#"), randomBytes(size)]).subarray(0, size);

const store = { credentialsRef: { name: "store" } };

describe("the limit of the metadata service", () => {
  it("takes 16 383 bytes as they are, and 16 384 by a pointer", async () => {
    await using world = await startWorld({ provider: { gzip: true } });
    await createStoreSecret(world, "store");
    await clusterOf(world, store);
    const [fits, tooLarge] = [varied(16_383), varied(16_384)];
    await createMachine(world, "fits", { cluster: "prod", data: fits });
    await createMachine(world, "too-large", { cluster: "prod", data: tooLarge });
    for (const name of ["fits", "too-large"]) await world.until(() => isReady(world, name));
    expect(userDataOf(world, "fits").equals(fits)).toBe(true);
    expect(userDataOf(world, "too-large").toString()).toMatch(/^#include\nhttp:\S+\n$/);
    const objects = world.simulator.state.objects["bootstrap"] ?? [];
    expect(objects.map(({ key }) => key)).toEqual([(await getMachine(world, "too-large"))?.metadata.uid]);
    expect(world.simulator.requests.violations).toEqual([]);
  });

  it("takes no 16 384 bytes where there is neither compression nor an object store, and says so", async () => {
    await using world = await startWorld();
    await clusterOf(world);
    await createMachine(world, "node", { cluster: "prod", data: varied(16_384) });
    await world.until(async () => readyOf(await getMachine(world, "node"))?.reason === "BootstrapDataTooLarge");
    expect(readyOf(await getMachine(world, "node"))?.message).toContain(
      "direct: 16384 bytes exceed the limit of 16384",
    );
    expect(world.simulator.state.instances).toEqual([]);
  });

  it.each([65_535, 65_536, 1_000_000])("takes %i bytes that can be compressed, compressed", async (size) => {
    await using world = await startWorld({ provider: { gzip: true } });
    await clusterOf(world);
    const data = "#cloud-config\n".padEnd(size, "#");
    await createMachine(world, "node", { cluster: "prod", data });
    await world.until(() => isReady(world, "node"));
    expect(gunzipSync(userDataOf(world, "node")).toString()).toBe(data);
  });
});

describe("Ignition", () => {
  it("that is too large is replaced by a config that fetches it, and is never compressed", async () => {
    await using world = await startWorld({ provider: { gzip: true } });
    await createStoreSecret(world, "store");
    await clusterOf(world, store);
    const source = `data:,${"x".repeat(20_000)}`;
    const files = [{ path: "/etc/large", contents: { source } }];
    const data = JSON.stringify({ ignition: { version: "3.4.0" }, storage: { files } });
    await createMachine(world, "node", { cluster: "prod", data, format: "ignition" });
    await world.until(() => isReady(world, "node"));
    const { ignition } = JSON.parse(userDataOf(world, "node").toString()) as {
      ignition: { version: string; config: { replace: { source: string; verification: { hash: string } } } };
    };
    expect(ignition.version).toBe("3.4.0");
    const { replace } = ignition.config;
    expect(replace.verification.hash).toBe(`sha512-${createHash("sha512").update(data).digest("hex")}`);
    expect(await (await fetch(replace.source)).text()).toBe(data);
  });
});

it("a pointer that soon stops working is told in the condition", async () => {
  await using world = await startWorld();
  await createStoreSecret(world, "store");
  await clusterOf(world, { ...store, presignedURLDuration: "5m" });
  await createMachine(world, "node", { cluster: "prod", data: varied(20_000) });
  await world.until(() => isReady(world, "node"));
  const machine = (await getMachine(world, "node"))!;
  expect(conditionOf(machine, "BootstrapDataUploaded")?.message).toMatch(
    /^20000 bytes, sha256:[0-9a-f]{64}, as .+; the pointer works until .+, only 300 s, which a slow boot may exceed: increase the lifetime of pointers$/,
  );
});
