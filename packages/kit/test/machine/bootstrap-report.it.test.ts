import type { ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource, SecretResource, conditionOf } from "@capstan/contract/wire";
import { uploadedReport } from "@capstan/kit/machine";
import type { BootstrapReport } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import { type MemoryCloud, MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import { beforeEach, describe, expect, it } from "vitest";
import { providerWith } from "./memory-objects.ts";
import { memoryWorld } from "./memory-world.ts";

const EventResource = { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true };
const document = "#cloud-config\nruncmd: [kubeadm join]\n";
const wait = { "capstan.dev/bootstrap-report": "10m" };

/** What the cloud itself shows of bootstrapping. */
let shown: BootstrapReport | undefined;

/** The provider over the cloud in memory, whose machines report. */
const provider = (cloud: MemoryCloud): ProviderV1 =>
  providerWith(cloud, (author) => ({
    report: { channels: [uploadedReport()] },
    observe: async (context) => {
      const seen = await author.observe(context);
      return shown === undefined || seen.state === "absent" ? seen : { ...seen, bootstrap: shown };
    },
  }));

const world = memoryWorld({ cloud: { tokens: ["t0ken"], userDataLimitBytes: 16_384 }, provider });
beforeEach(async () => {
  shown = undefined;
  await world.core.createSecret("credentials", { token: Buffer.from("t0ken").toString("base64") });
  await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
});

const cluster = async (spec: object = { objectStoreRef: { name: "store" } }): Promise<void> => {
  const infrastructureRef = { apiGroup: MemoryCluster.group, kind: MemoryCluster.kind, name: world.core.clusterName };
  const owner = await world.core.createCluster({ infrastructureRef });
  const full = { credentialsRef: { name: "credentials" }, ...spec };
  const place = { kind: ClusterResource, object: owner, controller: false };
  await world.core.createOwned(MemoryCluster, world.core.clusterName, full, place);
  await world.core.infrastructureProvisioned();
};

const machine = async (annotations: Readonly<Record<string, string>> = wait): Promise<void> => {
  await world.core.createBootstrapSecret("m", document);
  const infrastructureRef = { apiGroup: MemoryMachine.group, kind: MemoryMachine.kind, name: "m" };
  const owner = await world.core.createMachine("m", { infrastructureRef, bootstrap: { dataSecretName: "m" } });
  await world.core.patch(MachineResource, "m", { metadata: { annotations } });
  await world.core.createOwned(MemoryMachine, "m", {}, { kind: MachineResource, object: owner, controller: true });
};

const verdict = (object?: KubeObject) => (object === undefined ? undefined : conditionOf(object, "BootstrapSucceeded"));
const until = async (reason: string): Promise<KubeObject> => {
  const found = await world.environment.eventually<KubeObject>(
    MemoryMachine,
    world.core.key("m"),
    (object) => verdict(object)?.reason === reason,
    // Longer than any wait for a report.
    1_200_000,
  );
  if (found === undefined) throw new Error("it is gone");
  return found;
};

const userData = (): string => Buffer.from([...world.cloud.servers.values()][0]?.userData ?? []).toString("utf8");

/** What the machine does at the end of its first boot. */
const upload = async (text: string): Promise<number> => {
  const [, header = "", url = ""] = /--header '(if-none-match: \*)' '([^']+)'/.exec(userData()) ?? [];
  const [name = "", value = ""] = header.split(": ");
  return (await fetch(url, { method: "PUT", headers: { [name]: value }, body: text })).status;
};

const events = async (reason: string): Promise<readonly KubeObject[]> => {
  const { items } = await world.environment.client.list<KubeObject>(EventResource, { namespace: world.core.namespace });
  return items.filter((event) => event["reason"] === reason);
};
const said = (reason: string) => world.environment.until(async () => (await events(reason)).length > 0);

describe("a machine that is asked to report", () => {
  it("gets its document as it is and a script after it; its success is shown, and nothing is left in the store", async () => {
    await cluster();
    await machine();
    await world.managers.start();
    const object = await until("InProgress");
    expect(verdict(object)).toMatchObject({
      status: "Unknown",
      message: expect.stringMatching(/^bootstrapping since /) as string,
    });
    expect(userData()).toContain(`\n\n${document}\n--part-`);
    expect(JSON.stringify(object), "the URL is a secret").not.toContain("&s=");
    expect(await upload("capstan-bootstrap-report/v1 succeeded\nall the log\n")).toBe(200);
    expect(await upload("capstan-bootstrap-report/v1 failed\n"), "it is written once").toBe(412);
    expect(verdict(await until("Succeeded"))?.status).toBe("True");
    await world.environment.until(() => world.store.objects.size === 0);
    const before = world.store.calls.length;
    const { resourceVersion } = (await until("Succeeded")).metadata;
    await world.environment.pass(120_000);
    expect(world.store.calls.length, "nobody asks any more").toBe(before);
    expect((await until("Succeeded")).metadata.resourceVersion).toBe(resourceVersion);
    expect(await events("BootstrapSucceeded"), "the condition says it").toEqual([]);
  });

  it("shows its failure in a condition, once in an event, and with more of the log in a Secret; a restart changes nothing", async () => {
    await cluster();
    await machine();
    await world.managers.start();
    await until("InProgress");
    const noise = Array.from({ length: 200 }, (_, index) => `line ${index} with abcdef.0123456789abcdef`).join("\n");
    const why = "error execution phase preflight: couldn't validate the identity of the API Server";
    await upload(
      `capstan-bootstrap-report/v1 failed\n${noise}\n${why}\nutil.py[WARNING]: Failed to run module scripts-user\n`,
    );
    const object = await until("Failed");
    const { message = "", status } = verdict(object) ?? {};
    expect(status).toBe("False");
    expect(message.split("\n")[0]).toBe(`bootstrapping failed: ${why}`);
    expect(message).toContain("End of the log, more of it in Secret m-bootstrap-log:\n");
    expect(Buffer.byteLength(message)).toBeLessThan(1500);
    const secret = await world.environment.client.get<KubeObject>(SecretResource, world.core.key("m-bootstrap-log"));
    const { log = "" } = secret["data"] as { log?: string };
    const text = Buffer.from(log, "base64").toString("utf8");
    expect(text).toContain("line 0 with [redacted]");
    expect(JSON.stringify([object, secret, text])).not.toContain("0123456789abcdef");
    expect(secret.metadata.ownerReferences?.[0]).toMatchObject({
      kind: "MemoryMachine",
      name: "m",
      uid: object.metadata.uid,
    });
    await said("BootstrapFailed");
    await world.environment.until(() => world.store.objects.size === 0);
    await world.managers.stopAll();
    await world.managers.start();
    await world.environment.pass(120_000);
    expect((await events("BootstrapFailed")).map((event) => event["count"] ?? 1)).toEqual([1]);
    expect((await until("Failed")).metadata.resourceVersion).toBe(object.metadata.resourceVersion);
  });

  it("is believed late, and for as long as that is asked not believed to have failed because a store does not answer", async () => {
    await cluster();
    await machine();
    await world.managers.start();
    await until("InProgress");
    await upload("capstan-bootstrap-report/v1 succeeded\n");
    world.store.refused.add("get");
    await world.environment.pass(400_000);
    await until("InProgress");
    const late = await until("TimedOut");
    expect(verdict(late)).toMatchObject({
      status: "False",
      message: expect.stringContaining("within 10 min") as string,
    });
    await said("BootstrapTimedOut");
    world.store.refused.clear();
    expect(verdict(await until("Succeeded"))?.status).toBe("True");
  });

  it("is not called failed for its silence when its Node is there", async () => {
    await cluster();
    await machine();
    await world.managers.start();
    await until("InProgress");
    await world.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    expect(verdict(await until("TimedOut"))?.status).toBe("Unknown");
    await world.environment.pass(3_700_000);
    const calls = world.store.calls.length;
    await world.environment.pass(600_000);
    expect(world.store.calls.length, "when nothing can come any more, nobody asks").toBe(calls);
  });

  it("is made without, when there is nowhere to report to, and says why", async () => {
    await cluster({});
    await machine();
    await world.managers.start();
    await said("BootstrapReportUnavailable");
    await world.environment.eventually<KubeObject>(
      MemoryMachine,
      world.core.key("m"),
      (object) => object !== undefined && conditionOf(object, "Ready")?.status === "True",
    );
    expect(userData()).toBe(document);
    const object = await world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("m"));
    expect(verdict(object)).toBeUndefined();
  });

  it("takes its report along when it goes, read or not", async () => {
    await cluster();
    await machine();
    await world.managers.start();
    await until("InProgress");
    world.store.refused.add("get");
    await upload("capstan-bootstrap-report/v1 succeeded\n");
    expect(world.store.objects.size).toBe(1);
    await world.environment.client.delete(MemoryMachine, world.core.key("m"));
    await world.environment.eventually(MemoryMachine, world.core.key("m"), (object) => object === undefined);
    expect(world.store.objects.size).toBe(0);
  });
});

it("asks nobody and nothing of a machine that is not asked to report", async () => {
  await cluster();
  await machine({ "capstan.dev/bootstrap-report": "false" });
  await world.managers.start();
  const object = await world.environment.eventually<KubeObject>(
    MemoryMachine,
    world.core.key("m"),
    (found) => found !== undefined && conditionOf(found, "Ready")?.status === "True",
  );
  await world.environment.pass(60_000);
  expect(userData()).toBe(document);
  expect(verdict(object)).toBeUndefined();
  expect(world.store.calls).toEqual([]);
});

it("shows what the cloud itself says of bootstrapping, whoever asked", async () => {
  shown = { state: "running" };
  await cluster();
  await machine({});
  await world.managers.start();
  await until("InProgress");
  shown = { state: "failed", cause: "the extension exited with 1", log: "fatal: no disk\n" };
  await world.environment.pass(60_000);
  await world.core.patch(MemoryMachine, "m", { metadata: { labels: { touched: "yes" } } });
  expect(verdict(await until("Failed"))?.message).toBe(
    "bootstrapping failed: the extension exited with 1\nEnd of the log:\nfatal: no disk",
  );
  await said("BootstrapFailed");
});
