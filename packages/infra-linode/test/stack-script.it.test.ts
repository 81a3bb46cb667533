import { expect, it } from "vitest";
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
import { stackScriptData } from "../src/stack-script/stack-script.ts";
import { only } from "@capstan/sim-linode/testing";

/** A cluster in a region without a metadata service. */
const clusterWithout = async (world: World, spec: object = {}): Promise<void> => {
  await createCluster(world, "prod", { region: "us-west", ...spec });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
};

const isReady = async (world: World, name: string): Promise<boolean> =>
  (await getMachine(world, name))?.status?.ready === true;

/** What the script hands to cloud-init. */
const dataOf = ({ stackScript }: World["simulator"]["state"]["instances"][number]): Buffer =>
  Buffer.from(stackScript?.data["userdata"] ?? "", "base64");

/** Requests that made an instance. */
const creations = ({ simulator }: World): (() => readonly Readonly<Record<string, unknown>>[]) => {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  simulator.requests.subscribe(({ body, method, path }) => {
    if (method === "POST" && path.endsWith("linode/instances")) bodies.push(body as (typeof bodies)[number]);
  });
  return () => bodies;
};

it.each([
  ["a region without metadata", { region: "us-west" }],
  ["an image without cloud-init", { image: "linode/slackware15.0" }],
])("hands the data of machines in %s to one StackScript of the account", async (_name, spec) => {
  await using world = await startWorld();
  await clusterWithout(world);
  const made = creations(world);
  const data = `#cloud-config\n#${"x".repeat(20_000)}\n`;
  for (const name of ["node-a", "node-b"]) await createMachine(world, name, { cluster: "prod", data, spec });
  await world.until(async () => (await isReady(world, "node-a")) && (await isReady(world, "node-b")));
  const { instances, stackScripts } = world.simulator.state;
  const script = only(stackScripts);
  expect(script.label).toMatch(/^capstan-[0-9a-f]{12}$/);
  expect(script.user_defined_fields?.map(({ name }) => name)).toEqual(["instancedata", "userdata"]);
  expect(made().map((body) => [body["stackscript_id"], body["metadata"]])).toEqual([
    [script.id, undefined],
    [script.id, undefined],
  ]);
  expect(instances.map((each) => dataOf(each).toString())).toEqual([data, data]);
  const machine = await getMachine(world, "node-a");
  expect(machine?.status?.cloudinitMetadataSupport).toBe(false);
  expect(machine?.metadata.annotations?.["capstan.dev/bootstrap-delivery"]).toContain('"route":"stackscript"');
  expect(world.simulator.requests.violations).toEqual([]);
});

it("measures what the API counts, and goes to the object store from there", async () => {
  await using world = await startWorld();
  await createStoreSecret(world, "store");
  await clusterWithout(world, { objectStore: { credentialsRef: { name: "store" } } });
  const region = "us-west";
  // The label that an instance gets whose own is taken, which is the longest.
  const instance = { label: "node-a-12345678", region, type: "g6-standard-2" };
  const fits = (size: number) => JSON.stringify(stackScriptData(instance, Buffer.alloc(size))).length <= 65_535;
  let largest = 40_000;
  while (fits(largest + 1)) largest += 1;
  const bodies = { "node-a": largest, "node-b": largest + 1 };
  for (const [name, size] of Object.entries(bodies)) {
    const data = `#cloud-config\n${"#".repeat(size)}`.slice(0, size);
    await createMachine(world, name, { cluster: "prod", data, spec: { region } });
    await world.until(() => isReady(world, name));
  }
  const [first, second] = world.simulator.state.instances.map(dataOf);
  expect(first?.length).toBe(largest);
  expect(second?.toString()).toMatch(/^#include\nhttp:\S+\n$/);
  const machine = await getMachine(world, "node-b");
  expect(machine?.status?.cloudinitMetadataSupport).toBe(false);
  expect(world.simulator.requests.violations).toEqual([]);
});

it("says that the data is too large where there is no object store", async () => {
  await using world = await startWorld();
  await clusterWithout(world);
  await createMachine(world, "node-a", { cluster: "prod", data: "#".repeat(50_000), spec: { region: "us-west" } });
  await world.until(async () => readyOf(await getMachine(world, "node-a"))?.reason === "BootstrapDataTooLarge");
  expect(readyOf(await getMachine(world, "node-a"))?.message).toMatch(
    /stackscript: \d+ bytes exceed the limit of 65536; stackscript-object-store: the cluster has no object store/,
  );
  expect(world.simulator.state.instances).toEqual([]);
});
