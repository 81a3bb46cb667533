import { SecretResource } from "@capstan/contract/wire";
import { ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import { parseFaults } from "@capstan/simulation";
import { createTinkerbellProvider } from "@capstan/tinkerbell";
import { type BmcAction, BmcJob, BmcMachine, BmcTask } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMetalSimulator, type MetalSimulator } from "@capstan/sim-metal";

type Connection = NonNullable<BmcMachine["spec"]>["connection"];

let environment: ConformanceEnvironment;
let rack: MetalSimulator;
let running: RunningManager;
let namespace: string;

beforeAll(async () => {
  environment = await ConformanceEnvironment.start([BmcMachine, BmcJob, BmcTask]);
  const { clock, random } = environment;
  const machines = [
    { name: "a", mac: "52:54:00:00:00:0a", disks: [{ device: "/dev/sda", image: "installed" }] },
    { name: "b", mac: "52:54:00:00:00:0b", bmc: "rpc", disks: [{ device: "/dev/sda", image: "installed" }] },
  ];
  rack = await createMetalSimulator({ clock, random, seed: { machines } });
  await rack.start();
  const ca = rack.rack.certificateAuthority!;
  running = await environment.runManager({ providers: [createTinkerbellProvider({ parts: ["bmc"], ca })] });
});
afterAll(async () => {
  await running.stop();
  await rack.stop();
  await environment.stop();
});
beforeEach(async () => {
  namespace = await environment.namespace();
  await secret("bmc", { username: "admin", password: "simulated-bmc-password" });
  await secret("webhook", { secret: "simulated-bmc-webhook-secret" });
});

const secret = async (name: string, data: Readonly<Record<string, string>>): Promise<void> => {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
  const metadata = { namespace, name };
  await environment.client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata, data: encoded });
};

const stored = (name: string) => rack.rack.state.machines.find((machine) => machine.name === name)!;

const redfishConnection = (): Connection => ({
  host: stored("a").bmc!.address,
  port: 8443,
  insecureTLS: false,
  authSecretRef: { namespace, name: "bmc" },
});

const rpcConnection = (algorithm = "sha256"): Connection => ({
  host: stored("b").bmc!.address,
  port: 623,
  insecureTLS: false,
  providerOptions: {
    rpc: {
      consumerURL: `${rack.inventory.url}/bmc`,
      request: { timestampFormat: "2006-01-02T15:04:05.000Z07:00" },
      hmac: { secrets: { [algorithm]: [{ namespace, name: "webhook" }] } },
    },
  },
});

const machine = async (connection: Connection): Promise<void> => {
  const metadata = { namespace, name: "m" };
  await environment.client.create(BmcMachine, {
    apiVersion: "bmc.tinkerbell.org/v1alpha1",
    kind: "Machine",
    metadata,
    spec: { connection },
  });
};

const job = async (tasks: readonly BmcAction[], name = "j"): Promise<void> => {
  await environment.client.create(BmcJob, {
    apiVersion: "bmc.tinkerbell.org/v1alpha1",
    kind: "Job",
    metadata: { namespace, name },
    spec: { machineRef: { namespace, name: "m" }, tasks },
  });
};

type Conditioned = { readonly status?: { readonly conditions?: BmcConditions } } | undefined;
type BmcConditions = readonly { readonly type: string; readonly status: string; readonly message?: string }[];

const condition = (object: Conditioned, type: string) => object?.status?.conditions?.find((each) => each.type === type);

const machineUntil = (test: (object: BmcMachine | undefined) => boolean) =>
  environment.eventually(BmcMachine, { namespace, name: "m" }, test);
const jobUntil = (test: (object: BmcJob | undefined) => boolean, name = "j") =>
  environment.eventually(BmcJob, { namespace, name }, test);

const netboot: readonly BmcAction[] = [
  { powerAction: "off" },
  { oneTimeBootDeviceAction: { device: ["pxe"], efiBoot: true } },
  { powerAction: "on" },
];

describe.each([
  ["Redfish with a session", "a", () => redfishConnection()],
  [
    "Redfish with the credentials in every request",
    "a",
    () => ({ ...redfishConnection(), providerOptions: { redfish: { useBasicAuth: true, systemName: "a" } } }),
  ],
  ["requests signed by SHA-256", "b", () => rpcConnection()],
  ["requests signed by SHA-512", "b", () => rpcConnection("sha512")],
])("board management by %s", (_, name, connection) => {
  it("says whether the machine is on, and carries out a Job from its first action to its last", async () => {
    stored(name).power = "off";
    const before = rack.console(name).length;
    await machine(connection());
    const contacted = await machineUntil((object) => condition(object, "Contactable")?.status === "True");
    expect(contacted?.status?.powerState).toBe("off");
    await job(netboot);
    const done = await jobUntil((object) => condition(object, "Completed")?.status === "True");
    expect(done?.status).toMatchObject({ startTime: expect.any(String), completionTime: expect.any(String) });
    expect(condition(done, "Running")?.status).toBe("False");
    expect(stored(name).power).toMatch(/booting|running/);
    await environment.until(() => rack.console(name).slice(before).includes("firmware: booting from the network"));
    const { items } = await environment.client.list(BmcTask, { namespace });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["j-task-0", "j-task-1", "j-task-2"]);
    expect(items.every(({ metadata }) => metadata.labels?.["owner-name"] === "j")).toBe(true);

    await job(
      [{ virtualMediaAction: { mediaURL: "http://rack/x.iso", kind: "CD" } }, { powerAction: "cycle" }],
      "media",
    );
    await jobUntil((object) => condition(object, "Completed")?.status === "True", "media");
    expect(stored(name).virtualMedia).toBe("http://rack/x.iso");
    await job([{ virtualMediaAction: { kind: "CD" } }, { bootDevice: { device: "disk", persistent: true } }], "eject");
    await jobUntil((object) => condition(object, "Completed")?.status === "True", "eject");
    expect(stored(name).virtualMedia).toBeUndefined();
    const [rpc, redfish] = [rack.rpc.requests, rack.redfish("a").requests];
    expect([...rpc.violations, ...redfish.violations]).toEqual([]);
  });
});

describe("board management that", () => {
  it("does not answer is named with its field and what to do, and asked again until it does", async () => {
    rack.redfish("a").faults.add(parseFaults("* /** reset x*")[0]!);
    await machine(redfishConnection());
    const lost = await machineUntil((object) => condition(object, "Contactable")?.status === "False");
    expect(lost?.status?.powerState).toBe("unknown");
    expect(condition(lost, "Contactable")?.message).toMatch(
      new RegExp(`Machine ${namespace}/m, spec.connection: https://.* does not answer .*; check that`),
    );
    await job([{ powerAction: "on" }]);
    const waiting = await jobUntil((object) => condition(object, "Running")?.message !== undefined);
    expect(condition(waiting, "Running")).toMatchObject({
      status: "True",
      message: expect.stringContaining("Task j-task-0: Task"),
    });
    rack.redfish("a").faults.clear();
    await jobUntil((object) => condition(object, "Completed")?.status === "True");
    await machineUntil((object) => condition(object, "Contactable")?.status === "True");
  });

  it("answers is looked at every three minutes, and every thirty seconds while it does not", async () => {
    const { clock } = environment;
    stored("a").power = "off";
    await machine(redfishConnection());
    await machineUntil((object) => object?.status?.powerState === "off");
    stored("a").power = "running";
    await environment.pass(120_000);
    expect((await environment.client.get(BmcMachine, { namespace, name: "m" })).status?.powerState).toBe("off");
    await machineUntil((object) => object?.status?.powerState === "on");
    rack.redfish("a").faults.add(parseFaults("* /** reset x*")[0]!);
    await machineUntil((object) => condition(object, "Contactable")?.status === "False");
    rack.redfish("a").faults.clear();
    const lost = clock.now();
    await machineUntil((object) => condition(object, "Contactable")?.status === "True");
    expect(clock.now() - lost).toBeLessThan(120_000);
  });

  it.each([null, "PoweringOff", "unheard of"])("says %j of the power has not switched it off", async (said) => {
    const { bmc } = stored("a");
    stored("a").power = "running";
    bmc!.powerSaid = said;
    await machine(redfishConnection());
    const known = await machineUntil((object) => condition(object, "Contactable")?.status === "True");
    expect(known?.status?.powerState).toBe("unknown");
    await job([{ powerAction: "off" }]);
    await environment.until(() => stored("a").power === "off");
    await environment.pass(30_000);
    expect(condition(await jobUntil((object) => object !== undefined), "Completed")).toBeUndefined();
    delete bmc!.powerSaid;
    await jobUntil((object) => condition(object, "Completed")?.status === "True");
  });

  it("accepts an action and does nothing is named with what it is waited for", async () => {
    stored("a").bmc!.powerSaid = "On";
    await machine(redfishConnection());
    await job([{ powerAction: "off" }]);
    const waiting = await jobUntil((object) => (condition(object, "Running")?.message ?? "").includes("waiting"));
    expect(condition(waiting, "Running")?.message).toContain("accepted off; the power is on, waiting for off");
    const failed = await jobUntil((object) => condition(object, "Failed")?.status === "True");
    expect(condition(failed, "Failed")?.message).toContain("was not off within 10 minutes after off; it is on");
    delete stored("a").bmc!.powerSaid;
  });

  it("never answers lets the Job fail when its time is up", async () => {
    rack.redfish("a").faults.add(parseFaults("* /** reset x*")[0]!);
    await machine(redfishConnection());
    await job([{ powerAction: "off" }, { powerAction: "on" }]);
    await environment.pass(620_000);
    const failed = await jobUntil((object) => condition(object, "Failed")?.status === "True");
    expect(condition(failed, "Failed")?.message).toContain("does not answer");
    expect((await environment.client.list(BmcTask, { namespace })).items).toHaveLength(1);
    rack.redfish("a").faults.clear();
  });

  it("refuses the credentials names the Secret's field, and what is missing in the Secret", async () => {
    await secret("wrong", { username: "admin", password: "wrong" });
    await secret("half", { username: "admin" });
    await machine({ ...redfishConnection(), authSecretRef: { namespace, name: "wrong" } });
    const refused = await machineUntil((object) => condition(object, "Contactable")?.status === "False");
    expect(condition(refused, "Contactable")?.message).toMatch(/the credentials were refused .*authSecretRef/);
    const change = async (name: string) => {
      const body = { spec: { connection: { authSecretRef: { namespace, name } } } };
      await environment.client.patch(BmcMachine, { namespace, name: "m" }, { type: "merge", body });
    };
    await change("half");
    await machineUntil((object) =>
      /half has no key password; add it/.test(condition(object, "Contactable")?.message ?? ""),
    );
    await change("none");
    await machineUntil((object) =>
      /there is no Secret .*none; make it/.test(condition(object, "Contactable")?.message ?? ""),
    );
    await change("bmc");
    await machineUntil((object) => condition(object, "Contactable")?.status === "True");
  });

  it("has a certificate of somebody else is not trusted, unless the connection says so", async () => {
    await running.stop();
    running = await environment.runManager({ providers: [createTinkerbellProvider({ parts: ["bmc"] })] });
    await machine(redfishConnection());
    const refused = await machineUntil((object) => condition(object, "Contactable")?.status === "False");
    expect(condition(refused, "Contactable")?.message).toMatch(/certificate.*insecureTLS/);
    const body = { spec: { connection: { insecureTLS: true } } };
    await environment.client.patch(BmcMachine, { namespace, name: "m" }, { type: "merge", body });
    await machineUntil((object) => condition(object, "Contactable")?.status === "True");
    await running.stop();
    running = await environment.runManager({
      providers: [createTinkerbellProvider({ parts: ["bmc"], ca: rack.rack.certificateAuthority! })],
    });
  });
});

describe("a Job", () => {
  it("whose Machine does not exist says so, and begins when it does", async () => {
    await job([{ powerAction: "status" }]);
    const waiting = await jobUntil((object) => condition(object, "Running")?.status === "False");
    expect(condition(waiting, "Running")?.message).toMatch(/spec\.machineRef: there is no Machine .*\/m .*make it/);
    await machine(redfishConnection());
    await jobUntil((object) => condition(object, "Completed")?.status === "True");
  });

  it("is not carried out with a Machine, or a Secret, of another namespace that nobody has shown the right to", async () => {
    await machine(redfishConnection());
    const theirs = namespace;
    namespace = await environment.namespace();
    await job([{ powerAction: "off" }]);
    await environment.client.patch(
      BmcJob,
      { namespace, name: "j" },
      { type: "merge", body: { spec: { machineRef: { namespace: theirs } } } },
    );
    const held = await jobUntil((object) => condition(object, "Running")?.message?.includes("no user has") === true);
    expect(condition(held, "Running")?.message).toContain(
      `spec.machineRef references namespace ${theirs}, but no user has proven permission to update or patch machines.bmc.tinkerbell.org there`,
    );
    await machine({ ...redfishConnection(), authSecretRef: { namespace: theirs, name: "bmc" } });
    const refused = await machineUntil((object) => condition(object, "Contactable")?.status === "False");
    expect(condition(refused, "Contactable")?.message).toContain("no user has proven permission to get secrets there");
    await job([{ powerAction: "off" }], "own");
    const own = await jobUntil((object) => condition(object, "Running")?.status === "False", "own");
    expect(condition(own, "Running")?.message).toContain("no user has proven permission to get secrets there");
    expect((await environment.client.list(BmcTask, { namespace })).items).toEqual([]);
  });

  it("with a device that is not served fails with the field", async () => {
    await machine(redfishConnection());
    await job([{ bootDevice: { device: "safe" } }]);
    const failed = await jobUntil((object) => condition(object, "Failed")?.status === "True");
    expect(condition(failed, "Failed")?.message).toMatch(/bootDevice\.device: "safe" is not served; use one of pxe/);
  });

  it("goes on in another process, and nothing is written once it is over", async () => {
    await machine(redfishConnection());
    await job(netboot);
    await environment.eventually(BmcTask, { namespace, name: "j-task-0" }, (task) => task !== undefined);
    await running.stop();
    const ca = rack.rack.certificateAuthority!;
    running = await environment.runManager({ providers: [createTinkerbellProvider({ parts: ["bmc"], ca })] });
    const done = await jobUntil((object) => condition(object, "Completed")?.status === "True");
    await environment.pass(400_000);
    const later = await environment.client.get(BmcJob, { namespace, name: "j" });
    expect(later.metadata.resourceVersion).toBe(done?.metadata.resourceVersion);
  });
});

it("a Job and a Task that are being restored switch nothing", async () => {
  await machine(redfishConnection());
  const metadata = { namespace, annotations: { "capstan.dev/restore-pending": "status" } };
  const [apiVersion, off] = ["bmc.tinkerbell.org/v1alpha1", { powerAction: "off" } as const];
  await environment.client.create(BmcJob, {
    apiVersion,
    kind: "Job",
    metadata: { ...metadata, name: "j" },
    spec: { machineRef: { namespace, name: "m" }, tasks: [off] },
  });
  await environment.client.create(BmcTask, {
    apiVersion,
    kind: "Task",
    metadata: { ...metadata, name: "t" },
    spec: { task: off, connection: redfishConnection() },
  });
  await environment.pass(60_000);
  const { items: tasks } = await environment.client.list(BmcTask, { namespace });
  expect(tasks.map(({ metadata: { name }, status }) => [name, status])).toEqual([["t", undefined]]);
  expect((await environment.client.get(BmcJob, { namespace, name: "j" })).status).toBeUndefined();
  const completed = { status: { conditions: [{ type: "Completed", status: "True" }] } };
  const free = { metadata: { annotations: { "capstan.dev/restore-pending": null } } };
  for (const [kind, name] of [
    [BmcJob, "j"],
    [BmcTask, "t"],
  ] as const) {
    const key = { namespace, name };
    await environment.client.patch(
      kind as typeof BmcJob,
      key,
      { type: "merge", body: completed },
      { subresource: "status" },
    );
    await environment.client.patch(kind as typeof BmcJob, key, { type: "merge", body: free });
  }
  await environment.pass(60_000);
  expect((await environment.client.list(BmcTask, { namespace })).items).toHaveLength(1);
  expect((await environment.client.get(BmcTask, { namespace, name: "t" })).status).toEqual(completed.status);
});
