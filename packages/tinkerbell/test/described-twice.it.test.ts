import { conditionOf, NamespaceResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment, RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
  environment.client.create(kind as typeof Hardware, {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: key,
    spec,
  });

const said = async (key: { readonly namespace: string; readonly name: string }, status: string) => {
  const found = await environment.eventually(
    Hardware,
    key,
    (object) => object !== undefined && conditionOf(object, "MachineUnique")?.status === status,
  );
  return conditionOf(found!, "MachineUnique")!;
};

type Key = { readonly namespace: string; readonly name: string };

/** Waits until its status says that it counts. */
const counts = async (key: Key): Promise<Hardware> =>
  (await environment.eventually(Hardware, key, (object) => object?.status?.machine !== undefined))!;

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
  const logged = "Hardware in other namespaces describes the same machine";
  await expect.poll(() => running.warnings.filter((each) => each.startsWith(logged)).length).toBeGreaterThan(1);
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

describe("of three Hardware in three namespaces that describe one machine", () => {
  const recorded = async (keys: readonly Key[]): Promise<readonly string[]> => {
    const all = await Promise.all(keys.map((key) => environment.client.find(Hardware, key)));
    return all.flatMap((each) => (each?.status?.machine === undefined ? [] : [each.metadata.namespace ?? ""]));
  };

  it.each(["at once", "one after another"])(
    "made %s, one counts at any time, and another when it goes",
    async (how) => {
      const third = await environment.namespace();
      const keys = [lab, other, third].map((namespace) => ({ namespace, name: "same" }));
      const spec = { interfaces: interfaces(how === "at once" ? "52:54:00:00:0c:01" : "52:54:00:00:0c:02") };
      const labels = { "v1alpha1.tinkerbell.org/ownerName": "x", "v1alpha1.tinkerbell.org/ownerNamespace": third };
      const made = keys.map((key, index) => () => create(Hardware, index === 2 ? { ...key, labels } : key, spec));
      if (how === "at once") await Promise.all(made.map((make) => make()));
      else {
        for (const make of made) {
          await make();
          await counts(keys[0]!);
        }
      }
      let left: readonly Key[] = keys;
      const seen: string[] = [];
      while (left.length > 0) {
        const those = left;
        await environment.until(async () => (await recorded(those)).length > 0);
        for (const key of left.length > 1 ? left : []) await said(key, "False");
        const [first, ...more] = await recorded(left);
        expect(more).toEqual([]);
        await environment.pass(30_000);
        expect(await recorded(left)).toEqual([first]);
        seen.push(first!);
        await environment.client.delete(Hardware, { namespace: first!, name: "same" });
        left = left.filter(({ namespace }) => namespace !== first);
      }
      expect(seen.toSorted()).toEqual([lab, other, third].toSorted());
      if (how !== "at once") expect(seen[0], "what its users write does not come before who was first").toBe(lab);
    },
  );
});

it("Hardware that is described once has no condition, and is written once", async () => {
  const key = { namespace: lab, name: "a" };
  await create(Hardware, key, { interfaces: interfaces("52:54:00:00:0a:02") });
  const recorded = await counts(key);
  await environment.pass(10_000);
  const { metadata, status } = await environment.client.get(Hardware, key);
  expect(Object.keys(status ?? {})).toEqual(["machine"]);
  expect(metadata.resourceVersion).toBe(recorded.metadata.resourceVersion);
});

describe("Hardware of another namespace", () => {
  const forged = {
    labels: { "v1alpha1.tinkerbell.org/ownerName": "m", "v1alpha1.tinkerbell.org/ownerNamespace": "elsewhere" },
    annotations: { "v1alpha1.tinkerbell.org/provisioned": "true" },
  };

  it.each([
    ["with forged claims", async (key: Key, spec: object) => create(Hardware, { ...key, ...forged }, spec)],
    [
      "that was there before with other addresses",
      async (key: Key, spec: object) => {
        await environment.client.patch(Hardware, key, { type: "merge", body: { spec, metadata: forged } });
      },
    ],
  ])("%s does not count in the place of one that does", async (how, describeAgain) => {
    const [mine, theirs] = [
      { namespace: lab, name: "mine" },
      { namespace: other, name: "theirs" },
    ];
    const digit = how.length % 10;
    if (how.startsWith("that")) await create(Hardware, theirs, { interfaces: interfaces(`52:54:00:00:0b:1${digit}`) });
    await environment.pass(2000);
    const spec = { interfaces: interfaces(`52:54:00:00:0b:0${digit}`) };
    await create(Hardware, mine, spec);
    await counts(mine);
    await describeAgain(theirs, spec);
    expect((await said(theirs, "False")).reason).toBe("MachineDescribedBefore");
    expect((await said(mine, "False")).reason).toBe("MachineDescribedAgain");
    await counts(mine);
    expect((await environment.client.get(Hardware, theirs)).status).not.toHaveProperty("machine");
  });

  it("with forged claims does not count either while what counts is edited and not yet looked at again", async () => {
    const [mine, theirs] = [
      { namespace: lab, name: "mine" },
      { namespace: other, name: "theirs" },
    ];
    const spec = { interfaces: interfaces("52:54:00:00:0b:30") };
    await create(Hardware, mine, spec);
    await counts(mine);
    await environment.pass(2000);
    await create(Hardware, { ...theirs, ...forged }, spec);
    await said(theirs, "False");
    await running.stop();
    const body = { spec: { interfaces: [...spec.interfaces, ...interfaces("52:54:00:00:0b:31")] } };
    const edited = await environment.client.patch(Hardware, mine, { type: "merge", body });
    await run();
    await environment.until(async () => {
      const { metadata } = await environment.client.get(Hardware, mine);
      return metadata.resourceVersion !== edited.metadata.resourceVersion;
    });
    await environment.pass(10_000);
    expect((await environment.client.get(Hardware, theirs)).status).not.toHaveProperty("machine");
    expect((await said(mine, "False")).reason).toBe("MachineDescribedAgain");
  });

  it("that was registered first gives way to that of a namespace that an administrator trusts", async () => {
    const [mine, theirs] = [
      { namespace: lab, name: "mine" },
      { namespace: other, name: "theirs" },
    ];
    const spec = { interfaces: interfaces("52:54:00:00:0b:20") };
    await create(Hardware, theirs, spec);
    await counts(theirs);
    await create(Hardware, mine, spec);
    expect((await said(mine, "False")).reason).toBe("MachineDescribedBefore");
    const body = { metadata: { labels: { "capstan.dev/hardware": "trusted" } } };
    await environment.client.patch(NamespaceResource, { name: lab }, { type: "merge", body });
    await counts(mine);
    await environment.until(async () => (await said(theirs, "False")).reason === "MachineDescribedBefore");
    expect((await said(mine, "False")).reason).toBe("MachineDescribedAgain");
  });
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
