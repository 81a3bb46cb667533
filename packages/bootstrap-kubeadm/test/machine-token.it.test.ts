import { readFileSync } from "node:fs";
import { conditionOf, MachineResource, SecretResource, valueAt } from "@capstan/contract/wire";
import { workloadClusters } from "@capstan/kit/workload";
import { fromBase64, toBase64 } from "@capstan/kube-values";
import { resource } from "@capstan/schema";
import {
  CallGate,
  ConformanceEnvironment,
  CorePart,
  crashEverywhere,
  gatedClient,
  SceneManagers,
} from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KubeadmConfig, KubeadmConfigTemplate } from "../src/api.ts";
import { createBootstrapKubeadmProvider } from "../src/index.ts";
import { ensureNamespace, workloadOf } from "./own-workload.ts";

const certificate = readFileSync(new URL("__fixtures__/ca.crt", import.meta.url), "utf8");
const EventResource = resource({ group: "", version: "v1", kind: "Event", plural: "events", namespaced: true });
const ttlMs = 15 * 60_000;

describe("the bootstrap token of a Machine", () => {
  let environment: ConformanceEnvironment;
  beforeAll(async () => {
    environment = await ConformanceEnvironment.start([KubeadmConfig, KubeadmConfigTemplate]);
    await ensureNamespace(environment.client, "kube-system");
  });
  afterAll(() => environment.stop());

  /** A worker that is to join. */
  const open = async () => {
    const core = new CorePart(environment.client, await environment.namespace());
    await core.createCluster({ controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } });
    await core.infrastructureProvisioned();
    await core.controlPlaneInitialized();
    await core.createSecret("orchid-ca", { "tls.crt": toBase64(certificate), "tls.key": toBase64("key") });
    const configRef = { apiGroup: KubeadmConfig.group, kind: KubeadmConfig.kind, name: "b" };
    const machine = await core.createMachine("m", { bootstrap: { configRef } });
    const owner = { kind: MachineResource, object: machine, controller: true };
    await core.createOwned(KubeadmConfig, "b", { preKubeadmCommands: ["true"] }, owner);
    let gate = new CallGate();
    const managers = new SceneManagers(
      environment,
      {
        provider: () => createBootstrapKubeadmProvider({ tokenTtlMs: ttlMs }),
        prepare: (manager) => manager.provide(workloadClusters, workloadOf(gatedClient(environment.client, gate))),
      },
      core.namespace,
    );
    const start = (of = new CallGate()) => {
      gate = of;
      return managers.start(of);
    };
    return { core, managers, start };
  };

  const config = (core: CorePart) => environment.client.get<KubeadmConfig>(KubeadmConfig, core.key("b"));
  const token = async (core: CorePart): Promise<string> =>
    (await config(core)).spec?.joinConfiguration?.discovery?.bootstrapToken?.token ?? "";
  const keyOf = (of: string) => ({ namespace: "kube-system", name: `bootstrap-token-${of.split(".", 1)[0]}` });
  const tokenSecret = (of: string) => environment.client.find(SecretResource, keyOf(of));
  const expiration = async (of: string): Promise<number> =>
    Date.parse(fromBase64(String(valueAt(await tokenSecret(of), "data.expiration"))));
  const document = async (core: CorePart): Promise<string> =>
    fromBase64(String(valueAt(await environment.client.get(SecretResource, core.key("b")), "data.value")));
  const isReady = (found: KubeadmConfig | undefined): boolean =>
    found !== undefined && conditionOf(found, "Ready")?.status === "True";
  const ready = (core: CorePart) => environment.eventually<KubeadmConfig>(KubeadmConfig, core.key("b"), isReady);

  it("lives until the Node is there, in spite of time and new processes, and goes then", async () => {
    const { core, managers, start } = await open();
    await start();
    await ready(core);
    const first = await token(core);
    expect(await document(core)).toContain(first);
    expect(valueAt(await tokenSecret(first), "type")).toBe("bootstrap.kubernetes.io/token");
    await environment.pass(2 * ttlMs);
    await managers.stopAll();
    await start();
    await environment.pass(2 * ttlMs);
    expect(await token(core)).toBe(first);
    expect(await expiration(first)).toBeGreaterThan(environment.clock.now() + ttlMs / 2);
    await core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await environment.until(async () => (await tokenSecret(first)) === undefined);
    expect(await document(core), "the data stays as it was").toContain(first);
    await managers.stopAll();
  });

  it("is not made anew when it is gone: the machine has it, and the config says so", async () => {
    const { core, managers, start } = await open();
    await start();
    await ready(core);
    const first = await token(core);
    await environment.client.delete(SecretResource, keyOf(first));
    await environment.pass(ttlMs / 2);
    expect(await token(core)).toBe(first);
    expect(await tokenSecret(first)).toBeUndefined();
    const { items } = await environment.client.list(EventResource, { namespace: core.namespace });
    expect(items.map((event) => valueAt(event, "reason"))).toContain("BootstrapTokenLost");
    await managers.stopAll();
  });

  it("may be gone where its Machine is being deleted: nothing is said of that", async () => {
    const { core, managers, start } = await open();
    await start();
    await ready(core);
    const machine = core.key("m");
    await core.patch(MachineResource, "m", { metadata: { finalizers: ["test.example/hold"] } });
    await environment.client.delete(MachineResource, machine);
    await environment.client.delete(SecretResource, keyOf(await token(core)));
    await environment.pass(ttlMs / 2);
    const { items } = await environment.client.list(EventResource, { namespace: core.namespace });
    expect(items.map((event) => valueAt(event, "reason"))).not.toContain("BootstrapTokenLost");
    await managers.stopAll();
  });

  it("is left as it is when its expiration is no time, and an Event says where, and what to do", async () => {
    const { core, managers, start } = await open();
    await start();
    await ready(core);
    const key = keyOf(await token(core));
    const body = { data: { expiration: toBase64("soon") } };
    await environment.client.patch(SecretResource, key, { type: "merge", body });
    await environment.pass(ttlMs / 2);
    await environment.until(async () => {
      const { items } = await environment.client.list(EventResource, { namespace: core.namespace });
      const event = items.find((each) => valueAt(each, "reason") === "BootstrapTokenInvalid");
      const message = String(event === undefined ? "" : valueAt(event, "message"));
      return message.includes(key.name) && message.includes("delete the Machine");
    });
    expect(valueAt(await environment.client.get(SecretResource, key), "data.expiration")).toBe(toBase64("soon"));
    await managers.stopAll();
  });

  it("is one, whenever a process dies between two calls", async () => {
    await crashEverywhere(async (gate) => {
      const { core, managers, start } = await open();
      const before = new Set((await tokens()).map(({ metadata }) => metadata.name));
      const first = await start(gate);
      await environment.until(async () => gate.crashedAt !== undefined || isReady(await config(core)));
      if (gate.crashedAt !== undefined) {
        await first.stop();
        await start();
      }
      await ready(core);
      const made = (await tokens()).map(({ metadata }) => metadata.name).filter((name) => !before.has(name));
      expect(made).toEqual([keyOf(await token(core)).name]);
      expect(await document(core)).toContain(await token(core));
      await managers.stopAll();
    });
  });

  const tokens = async () =>
    (await environment.client.list(SecretResource, { namespace: "kube-system" })).items.filter(({ metadata }) =>
      metadata.name?.startsWith("bootstrap-token-"),
    );
});
