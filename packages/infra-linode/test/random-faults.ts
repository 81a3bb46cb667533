import { randomBytes } from "node:crypto";
import type { Random } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { Resource } from "@capstan/schema";
import { faultAfterFault, seededRandom } from "@capstan/testing";
import { expect } from "vitest";
import {
  LinodeCluster,
  LinodeFirewall,
  LinodeMachine,
  LinodeObjectStorageBucket,
  LinodeObjectStorageKey,
  LinodePlacementGroup,
  LinodeVPC,
} from "../src/api.ts";
import type { FaultAction } from "@capstan/sim-linode";
import {
  createCluster,
  createMachine,
  createObject,
  createSecret,
  createStoreSecret,
  namespace,
  reportInfrastructure,
  reportNode,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

export interface RandomFaultsOptions {
  /** How many faults happen before they stop. */
  readonly faults: number;
  readonly seed: number;
}

type Faulty = Pick<World["simulator"], "faults" | "requests">;

/** Larger than user data may be, so that the object store takes part. */
const large = `#cloud-config\n#${randomBytes(20_000).toString("hex")}`;
const clusters = ["red", "blue"] as const;
const machinesAtOnce = 6;
/** Of each kind. */
const thingsAtOnce = 2;
/** A fault hits one of so many requests, about. */
const spread = 5;
/** One of so many faults is the death of the controllers. */
const deaths = 40;

/** Answers that a program between here and there, or a broken vendor, may give; none says that something does not exist. */
const nonsense = [
  "{}",
  "[]",
  "null",
  '""',
  "7",
  '{"id":"abc"}',
  '{"id":-1}',
  '{"data":{}}',
  '{"data":[{"id":"x"}],"pages":1}',
  "{",
];

const page = "<html><body>Please log in</body></html>";

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random.next() * items.length)]!;

const actions: readonly ((random: Random) => FaultAction)[] = [
  (random) => ({ kind: "status", status: pick(random, [400, 401, 403, 408, 409, 500, 502, 503, 504]) }),
  (random) => ({ kind: "status", status: 429, headers: { "retry-after": pick(random, ["1", "30", "86400"]) } }),
  (random) => ({ kind: "html", status: pick(random, [200, 200, 403, 404, 500, 502]) }),
  () => ({ kind: "reset" }),
  () => ({ kind: "lost-answer" }),
  () => ({ kind: "truncated" }),
  // The longer ones take effect after they were given up, some after what they are for was deleted.
  (random) => ({ kind: "delay", ms: pick(random, [100, 3000, 20_000]) }),
  (random) => ({ kind: "status", status: 200, body: pick(random, nonsense) }),
  (random) => ({ kind: "other-answer", body: pick(random, nonsense) }),
  () => ({ kind: "other-answer", body: page, contentType: "text/html" }),
  () => ({ kind: "other-answer", body: "", contentType: "application/json" }),
];

/** Plans one fault after another for a service, until it is stopped; `happened` is called for each. */
const plague = (service: Faulty, random: Random, happened: () => void): (() => void) =>
  faultAfterFault(
    service,
    () => ({ nth: 1 + Math.floor(random.next() * spread), action: pick(random, actions)(random) }),
    happened,
  );

const region = "us-ord";
const wall = { action: "ACCEPT", label: "ssh", protocol: "TCP", ports: "22", addresses: { ipv4: ["10.0.0.0/8"] } };

/** Kinds of things that stand for themselves, with specs. */
const things: readonly (readonly [kind: Resource, spec: () => unknown])[] = [
  [LinodeVPC, () => ({ region, subnets: [{ label: "default", ipv4: "10.0.0.0/24" }] })],
  [LinodeFirewall, () => ({ enabled: true, inboundRules: [wall] })],
  [LinodePlacementGroup, () => ({ region })],
  [LinodeObjectStorageBucket, () => ({ region, forceDeleteBucket: true })],
  [
    LinodeObjectStorageKey,
    () => ({
      bucketAccess: [{ bucketName: "bootstrap", permissions: "read_write", region }],
      generatedSecret: {},
      credentialsRef: { name: "own" },
    }),
  ],
];

/** Someone makes and deletes machines and other things, and has Nodes appear, at random. */
class Somebody {
  readonly #world: World;
  readonly #random: Random;
  #made = 0;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async act(): Promise<void> {
    await (this.#random.next() < 0.3 ? this.#changeThings() : this.#changeMachines());
    await this.#world.pass(pick(this.#random, [500, 1000, 5000, 30_000]));
  }

  async #changeThings(): Promise<void> {
    const { api } = this.#world;
    const [kind, spec] = pick(this.#random, things);
    const { items } = await api.list(kind, { namespace });
    const alive = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (alive.length < thingsAtOnce) {
      this.#made += 1;
      await createObject(this.#world, kind, `thing-${this.#made}`, spec());
    } else await api.delete(kind, { namespace, name: pick(this.#random, alive).metadata.name ?? "" });
  }

  async #changeMachines(): Promise<void> {
    const { api } = this.#world;
    const random = this.#random;
    const { items } = await api.list<LinodeMachine>(LinodeMachine, { namespace });
    const alive = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (alive.length < machinesAtOnce && random.next() < 0.5) {
      const cluster = pick(random, clusters);
      const data = random.next() < 0.8 ? large : "#cloud-config\n";
      this.#made += 1;
      await createMachine(this.#world, `machine-${this.#made}`, { cluster, controlPlane: random.next() < 0.3, data });
    } else if (alive.length > 0) {
      const name = pick(random, alive).metadata.name ?? "";
      if (random.next() < 0.5) await api.delete(LinodeMachine, { namespace, name });
      else await reportNode(this.#world, name);
    }
  }
}

const records = async ({ api }: World) =>
  (await api.list(SecretResource, { namespace })).items.filter(
    ({ type }) => type === "capstan.dev/stored-bootstrap-data",
  );

/** Everything that was made is deleted, without faults; and whatever is recorded as left over is swept. */
const deleteEverything = async (world: World): Promise<void> => {
  const { api } = world;
  for (const { metadata } of (await api.list(LinodeMachine, { namespace })).items) {
    await api.delete(LinodeMachine, { namespace, name: metadata.name ?? "" });
  }
  await world.until(async () => (await api.list(LinodeMachine, { namespace })).items.length === 0);
  for (const [kind] of things) {
    for (const { metadata } of (await api.list(kind, { namespace })).items) {
      await api.delete(kind, { namespace, name: metadata.name ?? "" });
    }
    await world.until(async () => (await api.list(kind, { namespace })).items.length === 0);
  }
  for (const name of clusters) await api.delete(LinodeCluster, { namespace, name });
  await world.until(async () => (await api.list(LinodeCluster, { namespace })).items.length === 0);
  // What has failed for long is retried rarely.
  await world.clock.advanceUntil(async () => (await records(world)).length === 0, { stepMs: 5000, maxMs: 14_400_000 });
};

/**
 * Machines are made and deleted while calls to the cloud and to the object storage fail in every way, and the controllers die in between;
 * then the faults stop, everything is deleted, and nothing may be left at the cloud. The same seed plays the same faults.
 */
export const survivesRandomFaults = async ({ faults, seed }: RandomFaultsOptions): Promise<void> => {
  const random = seededRandom(seed);
  const delays = { provisionMs: 500, bootMs: 500, deleteMs: 500 };
  await using world = await startWorld({
    provider: { pollMs: 1000, timeoutMs: 5000 },
    simulator: { rateLimits: [], delays },
    // The first one only learns the time, which the SDK takes from the real clock.
    storeAttempts: 2,
  });
  await createStoreSecret(world, "store");
  await createSecret(world, "own", { apiToken: world.simulator.token });
  for (const name of clusters) {
    await createCluster(world, name, { objectStore: { credentialsRef: { name: "store" } } });
    await reportInfrastructure(world, name);
  }
  let happened = 0;
  let dies = false;
  const count = (): void => {
    happened += 1;
    dies ||= random.next() < 1 / deaths;
  };
  const { simulator } = world;
  const stops = [simulator, simulator.objectStorage].map((service) => plague(service, random, count));
  const somebody = new Somebody(world, random);
  while (happened < faults) {
    await somebody.act();
    if (!dies) continue;
    dies = false;
    await world.kill();
    await world.startControllers();
  }
  for (const stop of stops) stop();
  await deleteEverything(world);
  const { buckets, firewalls, instances, keys, nodeBalancers, objects, placementGroups, vpcs } = simulator.state;
  const left = {
    instances,
    nodeBalancers,
    vpcs,
    firewalls,
    placementGroups,
    objects: objects["bootstrap"] ?? [],
    buckets: buckets.filter(({ label }) => label !== "bootstrap"),
    keys: keys.filter(({ label }) => label !== "seed"),
  };
  const nothing = { instances: [], nodeBalancers: [], vpcs: [], firewalls: [], placementGroups: [] };
  expect(left, `seed ${seed}: left at the cloud after ${happened} faults`).toEqual({
    ...nothing,
    objects: [],
    buckets: [],
    keys: [],
  });
};
