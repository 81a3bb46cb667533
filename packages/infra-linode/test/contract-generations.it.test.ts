import { conditionOf, contractLabel, infraMachine } from "@capstan/contract/wire";
import { crdOf, type Kind, type KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as api from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createObject,
  createSecret,
  getObject,
  isReady,
  linodeKinds,
  namespace,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

/** Of every object. */
const name = "one";

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.client.objectStorage.buckets.create({ label: "data", region: "us-ord" });
  await createSecret(world, "own", { apiToken: world.simulator.token });
  await createCluster(world, "around");
  await world.until(async () => (await getObject(world, api.LinodeCluster, "around"))?.status?.ready === true);
  await reportInfrastructure(world, "around");
});
afterAll(() => world[Symbol.asyncDispose]());

/** A kind that says by both contracts whether what it stands for is there. */
interface Row {
  readonly kind: Kind<KubeObject>;
  readonly make: () => Promise<unknown>;
  /** Of the API, below which it is made and deleted. */
  readonly path: string;
}

const made = (kind: Kind<KubeObject>, path: string, spec: object): Row => ({
  kind,
  path,
  make: () => createObject(world, kind, name, spec),
});

const access = { bucketName: "data", permissions: "read_write", region: "us-ord" };

const rows: readonly Row[] = [
  { kind: api.LinodeCluster, path: "nodebalancers", make: () => createCluster(world, name) },
  { kind: api.LinodeMachine, path: "linode/instances", make: () => createMachine(world, name, { cluster: "around" }) },
  made(api.LinodeVPC, "vpcs", { region: "us-ord" }),
  made(api.LinodeFirewall, "networking/firewalls", { enabled: true }),
  made(api.LinodePlacementGroup, "placement/groups", { region: "us-ord" }),
  made(api.LinodeObjectStorageBucket, "object-storage/buckets", { region: "us-ord", forceDeleteBucket: true }),
  made(api.LinodeObjectStorageKey, "object-storage/keys", {
    bucketAccess: [access],
    generatedSecret: {},
    credentialsRef: { name: "own" },
  }),
];

interface Stated extends KubeObject {
  readonly status?: object;
}

/** What an object says: by the older contract, by the newer one, and in Ready. */
const saying = (object: Stated | undefined) => {
  const fields = (contract: "v1beta1" | "v1beta2") => infraMachine.for(contract).provisioned.get(object ?? nothing);
  const { status, reason, message = "" } = conditionOf(object ?? nothing, "Ready") ?? {};
  const { failureReason, failureMessage } = (object?.status ?? {}) as Readonly<Record<string, unknown>>;
  return {
    older: fields("v1beta1") ?? false,
    newer: fields("v1beta2") ?? false,
    ready: `${status} ${reason}`,
    message,
    terminal: failureReason ?? failureMessage,
  };
};

const nothing: KubeObject = { apiVersion: "", kind: "", metadata: {} };

const answering = (status: number) => ({ times: 1e6, action: { kind: "status", status, reason: "planned" } }) as const;

/** Waits until Ready says this, with words in its message; returns what the object says then. */
const until = async ({ kind }: Row, ready: string, words = "") => {
  const found = () => getObject(world, kind, name);
  await world.until(async () => {
    const said = saying(await found());
    return said.ready === ready && said.message.includes(words);
  });
  const { ready: _ready, ...rest } = saying(await found());
  return rest;
};

describe.each(rows.map((row) => [row.kind.kind, row] as const))("%s", (_kind, row) => {
  const { kind, path } = row;
  const notYet = { older: false, newer: false, terminal: undefined };
  const once = { older: true, newer: true, terminal: undefined };
  const planned = { message: expect.stringContaining("planned") as string };

  it("says by both contracts that it comes up, is there, cannot be looked at and cannot go", async () => {
    const { faults } = world.simulator;
    const down = faults.add({ method: "POST", path, ...answering(503) });
    await row.make();
    expect(await until(row, "False LinodeUnavailable"), "while it cannot be made").toEqual({ ...notYet, ...planned });
    down();
    const refused = faults.add({ method: "POST", path, ...answering(400) });
    expect(await until(row, "False LinodeRefused"), "which Linode refuses").toEqual({ ...notYet, ...planned });
    refused();
    expect(await until(row, "True Ready"), "that is there").toEqual({ ...once, message: "" });

    const blind = faults.add({ method: "GET", ...answering(401) });
    const touched = { metadata: { annotations: { touched: "yes" } } };
    await world.api.patch(kind, { namespace, name }, { type: "merge", body: touched });
    expect(await until(row, "True Ready", "planned"), "that cannot be looked at").toEqual({ ...once, ...planned });
    blind();
    const stays = faults.add({ method: "DELETE", path: `${path}/**`, ...answering(400) });
    await world.api.delete(kind, { namespace, name });
    expect(await until(row, "False LinodeRefused"), "that cannot go").toEqual({ ...once, ...planned });
    stays();
    await world.until(async () => (await getObject(world, kind, name)) === undefined);
  });
});

it.each(linodeKinds.map((kind) => [kind.kind, kind] as const))("%s has the labels of both contracts", (_kind, kind) => {
  const { labels = {} } = crdOf(kind).metadata;
  expect([labels[contractLabel("v1beta1")], labels[contractLabel("v1beta2")]]).toEqual(["v1alpha2", "v1alpha2"]);
});

it("LinodeMachineTemplate says in Ready what became of it, and has no flags", async () => {
  await createObject(world, api.LinodeMachineTemplate, name, {
    template: { spec: { type: "g6-standard-1", region: "us-ord" } },
  });
  const found = (): Promise<KubeObject | undefined> => getObject(world, api.LinodeMachineTemplate, name);
  await world.until(async () => saying(await found()).ready === "True Ready");
  expect(saying(await found())).toMatchObject({ older: false, newer: false });
});

it("AddressSet and FirewallRule have nothing to say", async () => {
  await createObject(world, api.AddressSet, name, { ipv4: ["192.0.2.0/24"] });
  const rule = { action: "ACCEPT", label: "ssh", protocol: "TCP", ports: "22" };
  await createObject(world, api.FirewallRule, name, { ...rule, addressSetRefs: [{ name }] });
  await createObject(world, api.LinodeFirewall, "user", { enabled: true, inboundRuleRefs: [{ name }] });
  await world.until(() => isReady(world, api.LinodeFirewall, "user"));
  for (const kind of [api.AddressSet, api.FirewallRule]) {
    expect((await getObject(world, kind as Kind<KubeObject>, name)) as object).not.toHaveProperty("status");
  }
});
