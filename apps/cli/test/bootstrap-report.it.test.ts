import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  conditionOf,
  ConditionType,
  MachineHealthCheckResource,
  MachineResource,
  SecretResource,
  ClusterResource,
} from "@capstan/contract/wire";
import { LinodeMachine } from "@capstan/infra-linode/api";
import { readTree } from "@capstan/inspect";
import { createDiscovery } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { resource } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { renderTree } from "../src/describe/render.ts";
import { aloneExample } from "./alone.ts";
import { startTestSystem, type TestSystem } from "./test-system.ts";

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

const reporting = "    metadata:\n      annotations:\n        capstan.dev/bootstrap-report: 10m\n";
const mistaken = `        discovery:\n          bootstrapToken:\n            caCertHashes: ["sha256:${"0".repeat(64)}"]\n`;

/** One worker, which is asked to report, and which pins the wrong authority. */
const failing = (): string =>
  aloneExample()
    .replace("replicas: 3", "replicas: 1")
    .replace(/(?<=name: orchid-workers\nspec:\n {2}template:\n)(?= {4}spec:\n {6}region:)/, reporting)
    .replace(/(?<= {6}joinConfiguration:\n)/, mistaken);

/**
 * What `capstan logs machine` prints of a Machine, or says instead: whose cloud is not known to be simulated, or has its control interface
 * there.
 */
const logsOf = async (machine: string, { running }: TestSystem, control?: string): Promise<string> => {
  const elsewhere = mkdtempSync(join(tmpdir(), "capstan-logs-"));
  copyFileSync(running.kubeconfig, join(elsewhere, "kubeconfig"));
  if (control !== undefined) {
    const simulators = [{ name: "linode", variables: {}, cloud: {}, control }];
    writeFileSync(join(elsewhere, "simulators.json"), JSON.stringify(simulators));
  }
  let said = "";
  const program = createProgram({ write: (text) => void (said += text) });
  const args = ["logs", "machine", machine, "--kubeconfig", join(elsewhere, "kubeconfig")];
  const failure = await program.run(args).catch((error: unknown) => (error as Error).message);
  rmSync(elsewhere, { recursive: true });
  return typeof failure === "string" ? failure : said;
};

describe("a worker whose kubeadm fails", () => {
  let system: TestSystem;
  beforeAll(async () => {
    system = await startTestSystem(failing());
  });
  afterAll(() => system[Symbol.asyncDispose]());

  const workers = async (): Promise<readonly KubeObject[]> =>
    (await system.running.client.list<KubeObject>(LinodeMachine)).items.filter(({ metadata }) =>
      metadata.name?.startsWith("orchid-workers"),
    );
  const failed = async (): Promise<KubeObject> => {
    let found: KubeObject | undefined;
    await system.until(async () => {
      found = (await workers()).find(
        (each) => conditionOf(each, ConditionType.bootstrapSucceeded)?.reason === "Failed",
      );
      return found !== undefined;
    });
    if (found === undefined) throw new Error("no worker failed");
    return found;
  };

  it("says why on its objects, in an event, in a Secret and in capstan describe, without a secret", async () => {
    const worker = await failed();
    const name = worker.metadata.name ?? "";
    const { message = "" } = conditionOf(worker, ConditionType.bootstrapSucceeded) ?? {};
    expect(message).toMatch(/^bootstrapping failed: error execution phase/);
    expect(message).toContain("End of the log");
    const { client } = system.running;
    await system.until(async () => {
      const machine = await client.find<KubeObject>(MachineResource, { namespace: "default", name });
      return machine !== undefined && conditionOf(machine, ConditionType.bootstrapSucceeded)?.message === message;
    });
    await system.until(async () =>
      (await client.list(Event)).items.some((event) => event["reason"] === "BootstrapFailed"),
    );
    const secret = await client.get<KubeObject>(SecretResource, {
      namespace: "default",
      name: `${name}-bootstrap-log`,
    });
    const log = Buffer.from((secret["data"] as { log: string }).log, "base64").toString("utf8");
    expect(log).toContain("kubeadm: error execution phase");
    expect(await logsOf(name, system)).toBe(log.endsWith("\n") ? log : `${log}\n`);
    expect(await logsOf("orchid-control-plane-0", system)).toMatch(
      /^Machine orchid-control-plane-0 has neither .* nor a bootstrap log; BootstrapSucceeded is True: Succeeded$/m,
    );
    // A simulated cloud that was started again has the machine, and nothing on its console.
    const cloud = createServer((_, answer) => void answer.end('{"next":0,"items":[]}')).listen(0, "127.0.0.1");
    await once(cloud, "listening");
    const control = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`;
    expect(await logsOf("orchid-control-plane-0", system, control)).toBe(
      "Machine orchid-control-plane-0 has no output on its simulated console and no bootstrap log; BootstrapSucceeded is True: Succeeded; a simulated console starts empty when its cloud starts",
    );
    cloud.close();
    const source = { list: async (kind: Parameters<typeof client.list>[0]) => (await client.list(kind)).items };
    const what = { resource: ClusterResource, namespace: "default", name: "orchid" };
    const tree = await readTree(source, createDiscovery(client), what);
    const shown = renderTree(tree, { now: system.clock.now(), colour: false, showConditions: [] });
    expect(shown).toMatch(
      new RegExp(`LinodeMachine/${name} +BootstrapSucceeded: False +Failed +\\S+ +bootstrapping failed: error`),
    );
    expect(system.running.progress.verdict().reasons.join("\n")).toContain(
      "bootstrapping failed: error execution phase",
    );
    expect(JSON.stringify([worker, log, shown])).not.toMatch(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b|X-Amz-Signature=[0-9a-f]/);
    const { objects } = system.simulator.state;
    const reports = Object.values(objects)
      .flatMap((kept) => kept.map(({ key }) => key))
      .filter((key) => key.endsWith(".report"));
    expect(reports, "what was read is deleted").toEqual([]);
  });

  it("is replaced by a MachineHealthCheck that acts on it", async () => {
    const worker = await failed();
    const { client } = system.running;
    await client.create(MachineHealthCheckResource, {
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "MachineHealthCheck",
      metadata: { namespace: "default", name: "bootstrap" },
      spec: {
        clusterName: "orchid",
        selector: { matchLabels: { "cluster.x-k8s.io/deployment-name": "orchid-workers" } },
        checks: {
          nodeStartupTimeoutSeconds: 0,
          unhealthyMachineConditions: [{ type: "BootstrapSucceeded", status: "False", timeoutSeconds: 30 }],
        },
      },
    });
    await system.until(async () => {
      const uids = (await workers()).map(({ metadata }) => metadata.uid);
      return uids.length > 0 && !uids.includes(worker.metadata.uid);
    });
    expect((await client.list(SecretResource)).items.map(({ metadata }) => metadata.name)).not.toContain(
      `${worker.metadata.name ?? ""}-bootstrap-log`,
    );
  });
});
