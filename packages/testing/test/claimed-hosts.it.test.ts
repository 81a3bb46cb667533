import { conditionOf, MachineResource } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { CorePart } from "../src/conformance/core-part.ts";
import type { RunningManager } from "../src/conformance/environment.ts";
import { ConformanceEnvironment } from "../src/conformance/environment.ts";
import {
  ClaimedCluster,
  ClaimedMachine,
  createClaimedProvider,
  PoolAddress,
  PoolHardware,
  poolAgent,
  PoolHost,
} from "../src/infra-claimed.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([ClaimedCluster, ClaimedMachine, PoolAddress, PoolHost]);
});
afterAll(() => environment.stop());

let core: CorePart;
let booted: (readonly [host: string, userData: string])[];
let hardware: PoolHardware;
let running: readonly RunningManager[];

beforeEach(async () => {
  const namespace = await environment.namespace();
  core = new CorePart(environment.client, namespace);
  booted = [];
  const { clock } = environment;
  hardware = new PoolHardware({ clock, stopMs: 20_000, onBoot: (uid, userData) => booted.push([uid, userData]) });
  const agent = { contract: "v1", name: "pool", kinds: [PoolHost] } as const;
  running = [
    await environment.runManager({
      namespace,
      providers: [{ ...agent, register: (host) => host.add(poolAgent(hardware)) }],
    }),
    await environment.runManager({ namespace, providers: [createClaimedProvider()] }),
  ];
  await core.createCluster();
  await core.infrastructureProvisioned();
});
afterEach(() => Promise.all(running.map((manager) => manager.stop())));

/** The uid of a new host. */
const host = async (name: string, failureDomain: string): Promise<string> => {
  const object = {
    apiVersion: apiVersionOf(PoolHost),
    kind: PoolHost.kind,
    metadata: core.key(name),
    spec: { address: "10.2.0.1", failureDomain },
  };
  return (await environment.client.create<PoolHost>(PoolHost, object)).metadata.uid ?? "";
};

const machine = async (name: string, spec: { readonly failureDomain?: string } = {}): Promise<void> => {
  await core.createBootstrapSecret(name, `#cloud-config\n# ${name}\n`);
  const infrastructureRef = { apiGroup: ClaimedMachine.group, kind: ClaimedMachine.kind, name };
  const object = await core.createMachine(name, { infrastructureRef, bootstrap: { dataSecretName: name }, ...spec });
  await core.createOwned(ClaimedMachine, name, {}, { kind: MachineResource, object, controller: true });
};

const says = (name: string, reason: string): Promise<ClaimedMachine | undefined> =>
  environment.eventually(
    ClaimedMachine,
    core.key(name),
    (object) => object !== undefined && conditionOf(object, "Ready")?.reason === reason,
  );

const userData = (name: string): string => `#cloud-config\n# ${name}`;

it("boots a host with the Secret that it names", async () => {
  const uid = await host("h", "rack-1");
  await machine("m");
  const ready = await says("m", "Ready");
  expect(booted).toEqual([[uid, userData("m")]]);
  expect(ready?.spec.providerID).toBe(`pool://${core.namespace}/h`);
  expect(ready?.status).toMatchObject({ host: "h", failureDomain: "rack-1" });
});

it("claims a host of the failure domain that the Machine asks for, and waits for one", async () => {
  await host("other", "rack-1");
  await machine("m", { failureDomain: "rack-2" });
  const waiting = await says("m", "NoHost");
  expect(waiting && conditionOf(waiting, "Ready")?.message).toContain("in the failure domain rack-2");
  const uid = await host("right", "rack-2");
  await says("m", "Ready");
  expect(booted).toEqual([[uid, userData("m")]]);
});

it("lets nobody else have a host before it is off", async () => {
  const uid = await host("h", "rack-1");
  await machine("first");
  await says("first", "Ready");
  await machine("second");
  await says("second", "NoHost");
  await environment.client.delete(ClaimedMachine, core.key("first"));
  const leaving = await says("first", "PoweringOff");
  expect(leaving && conditionOf(leaving, "Ready")?.message).toMatch(
    /^powering off since .*: the server is being deleted$/,
  );
  await environment.pass(10_000);
  expect(hardware.stateOf(uid)).toBe("stopping");
  await says("second", "NoHost");
  await says("second", "Ready");
  expect(await environment.client.find(ClaimedMachine, core.key("first"))).toBeUndefined();
  expect(booted).toEqual([
    [uid, userData("first")],
    [uid, userData("second")],
  ]);
});

it("says what the host waits for that has no Secret", async () => {
  await host("h", "rack-1");
  await core.patch(PoolHost, "h", { spec: { poweredOn: true, userDataSecret: { name: "later", key: "value" } } });
  await environment.eventually(
    PoolHost,
    core.key("h"),
    (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "UserDataMissing",
  );
  await core.createBootstrapSecret("later", "#!/bin/sh\n");
  await environment.until(() => booted.length === 1);
});
