import type { ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, conditionOf, MachineResource, SecretResource } from "@capstan/contract/wire";
import { joinedNode } from "@capstan/kit/machine";
import type { BootstrapReport } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { MemoryCloud, MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { providerWith } from "./memory-objects.ts";

const checker = "capstan.dev/bootstrap-checker";
const report = "capstan.dev/bootstrap-report";
const EventResource = { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true };

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([MemoryCluster, MemoryMachine]);
});
afterAll(() => environment.stop());

let core: CorePart;
let cloud: MemoryCloud;
let managers: SceneManagers;
/** What the probe knows, what the console shows, and who was asked. */
let known: BootstrapReport | undefined;
let console: () => string;
let asked: string[];
/** What the cloud says of a server that it calls failed. */
let failure: BootstrapReport | undefined;

/** The cloud in memory, with a probe that only some machines can have, the Node, and one that has to be chosen. */
const provider = (): ProviderV1 =>
  providerWith(cloud, (author) => {
    const reading = (name: string) => async (): Promise<BootstrapReport | undefined> => {
      asked.push(name);
      return known;
    };
    return {
      report: {
        channels: [
          { name: "probe", isAvailable: ({ object }) => object.spec.size === "large", read: reading("probe") },
          joinedNode(),
          { name: "agent", isAvailable: ({ checker: chosen }) => chosen === "agent", read: reading("agent") },
        ],
        consoleLog: async () => {
          asked.push("console");
          return console();
        },
      },
      observe: async (context) => {
        const seen = await author.observe(context);
        if (failure === undefined || seen.state !== "present") return seen;
        return { ...seen, state: "failed", reason: "Broken", message: "it broke", bootstrap: failure };
      },
    };
  });

beforeEach(async () => {
  known = undefined;
  failure = undefined;
  console = () => "waiting for the disk\n";
  asked = [];
  core = new CorePart(environment.client, await environment.namespace());
  cloud = new MemoryCloud({ clock: environment.clock, bootMs: 2000, tokens: ["t0ken"], userDataLimitBytes: 16_384 });
  managers = new SceneManagers(environment, { provider }, core.namespace);
  await core.createSecret("credentials", { token: Buffer.from("t0ken").toString("base64") });
  const infrastructureRef = { apiGroup: MemoryCluster.group, kind: MemoryCluster.kind, name: core.clusterName };
  const object = await core.createCluster({ infrastructureRef });
  const place = { kind: ClusterResource, object, controller: false };
  await core.createOwned(MemoryCluster, core.clusterName, { credentialsRef: { name: "credentials" } }, place);
  await core.infrastructureProvisioned();
});
afterEach(() => managers.stopAll());

const machine = async (annotations: Readonly<Record<string, string>> = {}, size = "large"): Promise<void> => {
  await core.createBootstrapSecret("m", "#cloud-config\n");
  const infrastructureRef = { apiGroup: MemoryMachine.group, kind: MemoryMachine.kind, name: "m" };
  const object = await core.createMachine("m", { infrastructureRef, bootstrap: { dataSecretName: "m" } });
  await core.patch(MachineResource, "m", { metadata: { annotations } });
  await core.createOwned(MemoryMachine, "m", { size }, { kind: MachineResource, object, controller: true });
};

const verdict = (object?: KubeObject) => (object === undefined ? undefined : conditionOf(object, "BootstrapSucceeded"));
const is = async (test: (object: KubeObject) => boolean): Promise<KubeObject> => {
  const isAs = (found?: KubeObject) => found !== undefined && test(found);
  return (await environment.eventually<KubeObject>(MemoryMachine, core.key("m"), isAs, 1_500_000))!;
};
const until = (reason: string) => is((object) => verdict(object)?.reason === reason);
const ready = () => is((object) => conditionOf(object, "Ready")?.status === "True");
const joins = () => core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
const eventOf = async (reason: string): Promise<KubeObject | undefined> => {
  const { items } = await environment.client.list<KubeObject>(EventResource, { namespace: core.namespace });
  return items.find((event) => event["reason"] === reason);
};

describe("who checks bootstrapping", () => {
  it("is the first that the machine can have; the others are not asked", async () => {
    known = { state: "running" };
    await machine();
    await managers.start();
    await until("InProgress");
    await joins();
    await environment.pass(60_000);
    expect(verdict(await ready())?.reason).toBe("InProgress");
    known = { state: "succeeded" };
    await until("Succeeded");
    expect(new Set(asked)).toEqual(new Set(["probe"]));
  });

  it("is the Node where nothing else can, without anybody's asking for it", async () => {
    await machine({}, "small");
    await managers.start();
    await until("InProgress");
    await joins();
    expect(verdict(await until("Succeeded"))?.status).toBe("True");
    expect(asked).toEqual([]);
  });

  it.each([
    ["the Machine", MachineResource, "m"],
    ["the infrastructure cluster", MemoryCluster, "orchid"],
    ["the Cluster", ClusterResource, "orchid"],
  ])("is whom the annotation of %s chooses", async (_case, kind, name) => {
    known = { state: "succeeded" };
    await machine();
    await core.patch(kind, name, { metadata: { annotations: { [checker]: "agent" } } });
    await managers.start();
    await until("Succeeded");
    expect(new Set(asked)).toEqual(new Set(["agent"]));
  });

  it("is said when the annotation chooses one that the machine cannot have", async () => {
    await machine({ [checker]: "probe" }, "small");
    await managers.start();
    await until("InProgress");
    await environment.until(async () => (await eventOf("BootstrapReportUnavailable")) !== undefined);
    expect((await eventOf("BootstrapReportUnavailable"))?.["message"]).toContain(
      "capstan.dev/bootstrap-checker: probe is not supported by this machine; node checks it instead; use one of node, none",
    );
  });

  it.each([{ [checker]: "none" }, { [report]: "false" }])(
    "is nobody with %j, whatever the cloud says",
    async (said) => {
      failure = { state: "failed", cause: "broken" };
      await machine(said);
      await managers.start();
      const object = await is((found) => conditionOf(found, "Ready")?.reason === "Broken");
      await environment.pass(60_000);
      expect([verdict(object), asked]).toEqual([undefined, []]);
    },
  );
});

describe("the console of a server", () => {
  const logOf = async (): Promise<string> => {
    const secret = await environment.client.get<KubeObject>(SecretResource, core.key("m-bootstrap-log"));
    return Buffer.from((secret["data"] as { log: string }).log, "base64").toString("utf8");
  };

  it("is read once bootstrapping has failed, and the check's own log follows it", async () => {
    known = { state: "failed", log: "error execution phase preflight: no\n" };
    await machine();
    await managers.start();
    expect(verdict(await until("Failed"))?.message).toBe(
      "bootstrapping failed: error execution phase preflight: no\nEnd of the log:\nwaiting for the disk\nerror execution phase preflight: no",
    );
    expect(await logOf()).toBe("waiting for the disk\nerror execution phase preflight: no");
    await environment.pass(120_000);
    expect(asked.filter((name) => name === "console")).toHaveLength(1);
  });

  it("is read when time is over, whoever checks, and not again", async () => {
    await machine({ [report]: "2m" }, "small");
    await managers.start();
    expect(verdict(await until("TimedOut"))?.message).toBe(
      "the Node has not joined within 2 min\nEnd of the log:\nwaiting for the disk",
    );
    await environment.pass(600_000);
    expect(asked).toEqual(["console"]);
    await joins();
    expect(verdict(await until("Succeeded"))?.status).toBe("True");
  });

  it("that cannot be read changes no verdict", async () => {
    console = () => {
      throw new Error("the storage does not answer");
    };
    known = { state: "failed", cause: "exit 1" };
    await machine();
    await managers.start();
    expect(verdict(await until("Failed"))).toMatchObject({ status: "False", message: "bootstrapping failed: exit 1" });
  });
});

describe("what the cloud says of a server that it calls failed", () => {
  it("is its verdict, with the cause and the console", async () => {
    failure = { state: "timedOut", cause: "OSProvisioningTimedOut: no answer" };
    await machine();
    await managers.start();
    const { message, status } = verdict(await until("TimedOut")) ?? {};
    expect([status, message]).toEqual([
      "False",
      "OSProvisioningTimedOut: no answer\nEnd of the log:\nwaiting for the disk",
    ]);
    failure = undefined;
    known = { state: "succeeded" };
    await core.patch(MemoryMachine, "m", { metadata: { labels: { touched: "yes" } } });
    await until("Succeeded");
  });
});

it("counts verdicts by kind, reason and who checked", async () => {
  known = { state: "failed" };
  await machine();
  const { manager } = await managers.start();
  await until("Failed");
  expect(await manager.metrics.text()).toContain(
    'capstan_bootstrap_verdicts_total{kind="MemoryMachine",reason="Failed",checker="probe"} 1',
  );
});
