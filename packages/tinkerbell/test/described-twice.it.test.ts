import { conditionOf } from "@capstan/contract/wire";
import type { ConformanceEnvironment, RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { BmcJob, BmcMachine, Hardware, Template, Workflow } from "../src/api.ts";
import { createTinkerbellProvider } from "../src/index.ts";
import { startEnvironment } from "./world.ts";

let environment: ConformanceEnvironment;
let running: RunningManager;
let lab: string;
let other: string;

const run = async (): Promise<void> => {
  running = await environment.runManager({ providers: [createTinkerbellProvider({ parts: ["workflow"] })] });
};

beforeAll(async () => {
  environment = await startEnvironment();
  await run();
});
afterAll(async () => {
  await running.stop();
  await environment.stop();
});
beforeEach(async () => {
  [lab, other] = [await environment.namespace(), await environment.namespace()];
});

const create = (kind: typeof Hardware | typeof Workflow | typeof BmcMachine, key: object, spec: object) =>
  environment.client.create(
    kind as typeof Hardware,
    {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: key,
      spec,
    } as Hardware,
  );

const said = async (key: { readonly namespace: string; readonly name: string }, status: string) => {
  const found = await environment.eventually(
    Hardware,
    key,
    (object) => object !== undefined && conditionOf(object, "MachineUnique")?.status === status,
  );
  return conditionOf(found!, "MachineUnique")!;
};

const interfaces = (mac: string) => [{ dhcp: { mac } }];

it("a machine that two Hardware describe is said on both sides, and nobody learns what is in another namespace", async () => {
  const mac = "52:54:00:00:0a:01";
  const [a, b, c] = [
    { namespace: lab, name: "a" },
    { namespace: other, name: "b" },
    { namespace: lab, name: "c" },
  ];
  await create(Hardware, a, { interfaces: interfaces(mac) });
  await create(Hardware, b, { agentID: "52-54-00-00-0A-01" });
  const first = await said(a, "False");
  expect(first.reason).toBe("MachineDescribedAgain");
  expect(first.message).toContain("another Hardware, in another namespace, describes the same machine");
  expect(first.message).toContain(`spec.interfaces[0].dhcp.mac ${mac}`);
  expect(first.message).not.toContain(other);
  const second = await said(b, "False");
  expect(second.reason).toBe("MachineDescribedBefore");
  expect(second.message).toContain("spec.agentID 52-54-00-00-0A-01");
  expect(second.message).not.toContain(lab);

  await create(Hardware, c, { interfaces: interfaces(mac) });
  expect((await said(c, "False")).message).toContain(`Hardware ${lab}/a describes the same machine`);
  await environment.until(async () =>
    (await said(a, "False")).message.includes(`Hardware ${lab}/c describes the same machine`),
  );

  await environment.client.delete(Hardware, a);
  await said(b, "False");
  await environment.client.patch(Hardware, b, { type: "merge", body: { spec: { agentID: "own" } } });
  await said(b, "True");
  await said(c, "True");
  const { items } = await environment.client.list(Hardware, { namespace: lab });
  await environment.pass(60_000);
  expect((await environment.client.list(Hardware, { namespace: lab })).items).toEqual(items);
});

it("Hardware that is described once has no condition", async () => {
  const key = { namespace: lab, name: "a" };
  await create(Hardware, key, { interfaces: interfaces("52:54:00:00:0a:02") });
  await environment.pass(10_000);
  expect(await environment.client.get(Hardware, key)).not.toHaveProperty("status");
});

it("two Machines for one board management are seen, and that one of them is corrected", async () => {
  const bmc = (name: string) => ({ bmcRef: { apiGroup: "bmc.tinkerbell.org", kind: "Machine", name } });
  const connection = (host: string) => ({ connection: { host, port: 443, insecureTLS: false } });
  await create(BmcMachine, { namespace: lab, name: "a" }, connection("bmc.lab"));
  await create(BmcMachine, { namespace: other, name: "b" }, connection("BMC.lab."));
  const [a, b] = [
    { namespace: lab, name: "a" },
    { namespace: other, name: "b" },
  ];
  await create(Hardware, a, bmc("a"));
  await create(Hardware, b, bmc("b"));
  expect((await said(a, "False")).message).toContain("bmc.lab");
  await said(b, "False");
  await environment.client.patch(BmcMachine, b, { type: "merge", body: { spec: connection("other.lab") } });
  await said(a, "True");
  await said(b, "True");
});

it("the second is not booted, also by another process, and is when the first is gone", async () => {
  const spec = (mac: string) => ({
    interfaces: interfaces(mac),
    bmcRef: { apiGroup: "bmc.tinkerbell.org", kind: "Machine", name: "bmc" },
  });
  const [first, second] = [
    { namespace: other, name: "first" },
    { namespace: lab, name: "second" },
  ];
  await create(Hardware, first, spec("52:54:00:00:0a:03"));
  await environment.pass(2000);
  await create(Hardware, second, spec("52:54:00:00:0a:03"));
  await environment.client.create(Template, {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Template",
    metadata: { namespace: lab, name: "t" },
    spec: { data: "name: x\ntasks:\n  - {name: t, worker: w, actions: [{name: a, image: example/a}]}\n" },
  });
  const bootOptions = { toggleAllowNetboot: true, bootMode: "netboot" };
  const workflow = { namespace: lab, name: "w" };
  await create(Workflow, workflow, { templateRef: "t", hardwareRef: "second", hardwareMap: {}, bootOptions });
  await environment.pass(30_000);
  await running.stop();
  await run();
  await environment.pass(30_000);
  expect(await environment.client.find(BmcJob, { namespace: lab, name: "netboot-w" })).toBeUndefined();
  expect((await environment.client.get(Hardware, second)).spec?.interfaces?.[0]).not.toHaveProperty("netboot");
  expect((await environment.client.get(Workflow, workflow)).status?.state ?? "").toBe("");
  await environment.client.delete(Hardware, first);
  await environment.eventually(BmcJob, { namespace: lab, name: "netboot-w" }, (job) => job !== undefined);
});
