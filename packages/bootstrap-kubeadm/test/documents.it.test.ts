import { readdirSync, readFileSync } from "node:fs";
import type { ConditionInput } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { apiVersionOf } from "@capstan/schema";
import { recentClock } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KubeadmConfig } from "../src/api.ts";
import { kubeadmConfigAuthor } from "../src/config/kubeadm-config.ts";
import { authorContext } from "./author-context.ts";
import { startConfigServer, type ConfigServer } from "./config-server.ts";
import { certificate, certificates, clusterOf, createSecrets, machineOf, type MachineInput } from "./machine-scene.ts";
import { ensureNamespace } from "./own-workload.ts";

/** `<case>.input.yaml` is a machine; beside it stands the document it gets. */
const folder = new URL("__golden__/documents/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".input.yaml"))
  .map((name) => name.replace(".input.yaml", ""));

const clock = recentClock();
let configs: ConfigServer;
let client: Client;

beforeAll(async () => {
  configs = await startConfigServer(clock);
  ({ client } = configs);
});

afterAll(async () => {
  await configs.stop();
});

describe("the document that a machine gets", () => {
  it.each(cases)("%s", async (name) => {
    const input = parse(readFileSync(new URL(`${name}.input.yaml`, folder), "utf8")) as MachineInput;
    await ensureNamespace(client, name);
    await createSecrets(client, name, { ...certificates, ...input.secrets });
    const object = await client.create<KubeadmConfig>(KubeadmConfig, {
      apiVersion: apiVersionOf(KubeadmConfig),
      kind: "KubeadmConfig",
      metadata: { namespace: name, name: "m" },
      ...(input.spec !== undefined && { spec: input.spec }),
    });
    const author = kubeadmConfigAuthor({ tokenTtlMs: 900_000, concurrency: 1 });
    const objects = {
      object,
      machine: machineOf(name, input),
      cluster: clusterOf(name, input),
      controlPlane: input.controlPlaneObject,
    };
    const outcome = await author.generate(authorContext({ client, clock }, objects));
    if (outcome.state !== "ready") throw new Error(`it waits: ${outcome.message}`);
    expect(outcome.format).toBe(input.spec?.["format"] ?? "cloud-config");
    await expect(outcome.value).toMatchFileSnapshot(new URL(`${name}.output.yaml`, folder).pathname);
    const stored = await client.get<KubeadmConfig>(KubeadmConfig, { namespace: name, name: "m" });
    await expect(`${JSON.stringify(stored.spec ?? null, undefined, 2)}\n`).toMatchFileSnapshot(
      new URL(`${name}.stored.json`, folder).pathname,
    );
  });

  it("of the control plane is not made where the key of an authority is kept elsewhere, and a condition says so", async () => {
    const name = "join-control-plane-external-authority";
    const input = { version: "v1.36.2", controlPlane: true, initialized: true } as const;
    await ensureNamespace(client, name);
    await createSecrets(client, name, { ...certificates, "orchid-etcd": { "tls.crt": certificate } });
    const object = await client.create<KubeadmConfig>(KubeadmConfig, {
      apiVersion: apiVersionOf(KubeadmConfig),
      kind: "KubeadmConfig",
      metadata: { namespace: name, name: "m" },
    });
    const said: ConditionInput[] = [];
    const author = kubeadmConfigAuthor({ tokenTtlMs: 900_000, concurrency: 1 });
    const objects = { object, machine: machineOf(name, input), cluster: clusterOf(name, input) };
    const context = {
      ...authorContext({ client, clock }, objects),
      condition: (each: ConditionInput) => void said.push(each),
    };
    const why = `Secret ${name}/orchid-etcd has no key tls.key, required to add control-plane machines; add it`;
    await expect(author.generate(context)).rejects.toMatchObject({
      code: "bootstrap.certificates_missing",
      message: why,
    });
    expect(said).toEqual([
      {
        type: "CertificatesAvailable",
        status: "Unknown",
        reason: "InternalError",
        message: why,
        deprecated: { status: "False", reason: "CertificatesCorrupted", severity: "Error" },
      },
    ]);
    expect((await client.get<KubeadmConfig>(KubeadmConfig, { namespace: name, name: "m" })).spec).toBeUndefined();
  });
});
