import { readFileSync } from "node:fs";
import {
  ClusterResource,
  conditionOf,
  MachinePoolResource,
  ownerReference,
  SecretResource,
  valueAt,
} from "@capstan/contract/wire";
import { workloadClusters } from "@capstan/kit/workload";
import { fromBase64, toBase64 } from "@capstan/kube-values";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KubeadmConfig, KubeadmConfigTemplate } from "../src/api.ts";
import { createBootstrapKubeadmProvider } from "../src/index.ts";
import { ensureNamespace, workloadOf } from "./own-workload.ts";

const certificate = readFileSync(new URL("__fixtures__/ca.crt", import.meta.url), "utf8");
const ttlMs = 15 * 60_000;

describe("the bootstrap token of a MachinePool", () => {
  let environment: ConformanceEnvironment;
  beforeAll(async () => {
    environment = await ConformanceEnvironment.start([KubeadmConfig, KubeadmConfigTemplate]);
    await ensureNamespace(environment.client, "kube-system");
  });
  afterAll(() => environment.stop());

  const open = async () => {
    const core = new CorePart(environment.client, await environment.namespace());
    const managers = new SceneManagers(
      environment,
      {
        provider: () => createBootstrapKubeadmProvider({ tokenTtlMs: ttlMs }),
        prepare: (manager) => manager.provide(workloadClusters, workloadOf(environment.client)),
      },
      core.namespace,
    );
    await core.createCluster({ controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } });
    await core.infrastructureProvisioned();
    await core.controlPlaneInitialized();
    await core.createSecret("orchid-ca", { "tls.crt": toBase64(certificate), "tls.key": toBase64("key") });
    const configRef = { apiGroup: KubeadmConfig.group, kind: KubeadmConfig.kind, name: "b" };
    const pool = await core.createPool("p", { bootstrap: { configRef } }, 2);
    await core.createOwned(
      KubeadmConfig,
      "b",
      { preKubeadmCommands: ["true"] },
      { kind: MachinePoolResource, object: pool, controller: true },
    );
    return { core, managers, pool };
  };

  const config = (core: CorePart) => environment.client.get<KubeadmConfig>(KubeadmConfig, core.key("b"));
  const token = async (core: CorePart): Promise<string> =>
    (await config(core)).spec?.joinConfiguration?.discovery?.bootstrapToken?.token ?? "";
  const tokenSecret = async (of: string) =>
    environment.client.find(SecretResource, {
      namespace: "kube-system",
      name: `bootstrap-token-${of.split(".", 1)[0]}`,
    });
  const expiration = async (of: string): Promise<number> =>
    Date.parse(fromBase64(String(valueAt(await tokenSecret(of), "data.expiration"))));
  const document = async (core: CorePart): Promise<string> =>
    fromBase64(String(valueAt(await environment.client.get(SecretResource, core.key("b")), "data.value")));
  const ready = (core: CorePart) =>
    environment.eventually(
      KubeadmConfig,
      core.key("b"),
      (found) => found !== undefined && conditionOf(found, "Ready")?.status === "True",
    );

  it("lives on while machines are still to join, and is replaced in time once all have", async () => {
    const { core, managers } = await open();
    await managers.start();
    await ready(core);
    const first = await token(core);
    expect(await document(core)).toContain(first);
    expect(await document(core)).toContain("node.cluster.x-k8s.io/uninitialized");
    await environment.pass(2 * ttlMs);
    expect(await token(core), "nobody has joined yet: the machines hold this token").toBe(first);
    expect(await expiration(first)).toBeGreaterThan(environment.clock.now());
    await core.setStatus(MachinePoolResource, "p", "status.nodeRefs", [{ name: "one" }, { name: "two" }]);
    await environment.pass(ttlMs);
    const second = await token(core);
    expect(second).not.toBe(first);
    expect(await document(core)).toContain(second);
    expect(await tokenSecret(first), "the one before is left to expire").toBeDefined();
    await environment.pass(ttlMs);
    const third = await token(core);
    expect(third).not.toBe(second);
    expect(await expiration(third)).toBeGreaterThanOrEqual(environment.clock.now() + ttlMs / 6);
    await managers.stopAll();
  });

  it("is made anew when it is gone although machines are still to join", async () => {
    const { core, managers } = await open();
    await managers.start();
    await ready(core);
    const first = await token(core);
    const secret = await tokenSecret(first);
    await environment.client.delete(SecretResource, {
      namespace: "kube-system",
      name: secret?.metadata.name ?? "",
    });
    await environment.pass(ttlMs / 2);
    const next = await token(core);
    expect(next).not.toBe(first);
    expect(await document(core)).toContain(next);
    expect(await tokenSecret(next)).toBeDefined();
    await managers.stopAll();
  });

  const lose = async (lost: string): Promise<void> => {
    const secret = await tokenSecret(lost);
    await environment.client.delete(SecretResource, { namespace: "kube-system", name: secret?.metadata.name ?? "" });
  };
  /** Within seconds, not at the next time at which the token would have been looked at. */
  const isReplaced = async (core: CorePart, lost: string): Promise<void> => {
    const since = environment.clock.now();
    await environment.eventually(
      KubeadmConfig,
      core.key("b"),
      (found) => found?.spec?.joinConfiguration?.discovery?.bootstrapToken?.token !== lost,
    );
    const next = await token(core);
    await environment.eventually(SecretResource, core.key("b"), (found) =>
      fromBase64(String(valueAt(found, "data.value"))).includes(next),
    );
    expect(await tokenSecret(next)).toBeDefined();
    expect(environment.clock.now() - since).toBeLessThan(60_000);
  };
  const paused = (core: CorePart, status: "True" | "False") =>
    environment.eventually(
      KubeadmConfig,
      core.key("b"),
      (found) => found !== undefined && conditionOf(found, "Paused")?.status === status,
    );

  it.each([
    ["some machines are still to join", []],
    ["all machines have joined", [{ name: "one" }, { name: "two" }]],
  ])("that was lost while the Cluster was paused is replaced as soon as it goes on: %s", async (_title, nodeRefs) => {
    const { core, managers } = await open();
    await managers.start();
    await ready(core);
    await core.setStatus(MachinePoolResource, "p", "status.nodeRefs", nodeRefs);
    await core.patch(ClusterResource, "orchid", { spec: { paused: true } });
    await paused(core, "True");
    const first = await token(core);
    await lose(first);
    await core.patch(ClusterResource, "orchid", { spec: { paused: false } });
    await isReplaced(core, first);
    await managers.stopAll();
  });

  it("that was lost while the config was paused, and the manager down, is replaced as soon as it goes on", async () => {
    const { core, managers } = await open();
    await managers.start();
    await ready(core);
    const first = await token(core);
    await core.patch(KubeadmConfig, "b", { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } });
    await paused(core, "True");
    await managers.stopAll();
    await lose(first);
    await managers.start();
    await core.patch(KubeadmConfig, "b", { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
    await isReplaced(core, first);
    await managers.stopAll();
  });

  it("that was lost while no manager ran is replaced as soon as one does", async () => {
    const { core, managers } = await open();
    await managers.start();
    await ready(core);
    const first = await token(core);
    await managers.stopAll();
    await lose(first);
    await managers.start();
    await isReplaced(core, first);
    await managers.stopAll();
  });

  it("gives the machines of a pool another config when the pool names one", async () => {
    const { core, managers, pool } = await open();
    await managers.start();
    await ready(core);
    const configRef = { apiGroup: KubeadmConfig.group, kind: KubeadmConfig.kind, name: "c" };
    const bootstrap = { configRef, dataSecretName: "b" };
    await core.patch(MachinePoolResource, "p", { spec: { template: { spec: { bootstrap } } } });
    const owner = ownerReference(MachinePoolResource, pool, { controller: true });
    await core.createOwned(KubeadmConfig, "c", { preKubeadmCommands: ["date"] });
    await core.patch(KubeadmConfig, "c", { metadata: { ownerReferences: [owner] } });
    const found = await environment.eventually(KubeadmConfig, core.key("c"), (object) => {
      return object !== undefined && conditionOf(object, "Ready")?.status === "True";
    });
    expect(found?.status?.dataSecretName).toBe("c");
    await managers.stopAll();
  });
});
