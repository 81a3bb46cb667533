import { readdirSync, readFileSync } from "node:fs";
import { Label } from "@capstan/contract";
import { ClusterResource, MachineResource, SecretResource, type ConditionInput } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { recentClock } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KubeadmConfig } from "../src/api.ts";
import { kubeadmConfigAuthor } from "../src/config/kubeadm-config.ts";
import { authorContext } from "./author-context.ts";
import { startConfigServer, type ConfigServer } from "./config-server.ts";
import { ensureNamespace } from "./own-workload.ts";

/** One machine, as `<case>.input.yaml` has it; beside it stands the document it gets. */
interface Input {
  readonly version: string;
  readonly controlPlane?: boolean;
  readonly initialized?: boolean;
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** The object that the Cluster refers to. */
  readonly controlPlaneObject?: KubeObject;
  /** Contents of Secrets by name, beside the certificates; bytes begin with `base64:`. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const folder = new URL("__golden__/documents/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".input.yaml"))
  .map((name) => name.replace(".input.yaml", ""));

const certificate = readFileSync(new URL("__fixtures__/ca.crt", import.meta.url), "utf8");
const pem = (what: string): string => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`;
const pair = (name: string) => ({ "tls.crt": certificate, "tls.key": pem(`${name} PRIVATE KEY`) });

const certificates = {
  "orchid-ca": pair("CA"),
  "orchid-etcd": pair("ETCD"),
  "orchid-proxy": pair("PROXY"),
  "orchid-sa": { "tls.crt": pem("PUBLIC KEY"), "tls.key": pem("PRIVATE KEY") },
};

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

const createSecrets = async (namespace: string, secrets: NonNullable<Input["secrets"]>): Promise<void> => {
  for (const [name, data] of Object.entries(secrets)) {
    const entries = Object.entries(data).map(([key, value]) => {
      const text = value.replace("$certificate", certificate);
      return [key, text.startsWith("base64:") ? text.slice("base64:".length) : toBase64(text)];
    });
    const metadata = { namespace, name };
    const object = { apiVersion: "v1", kind: "Secret", metadata, data: Object.fromEntries(entries) as unknown };
    await client.create(SecretResource, object);
  }
};

const clusterOf = (namespace: string, input: Input): KubeObject => ({
  apiVersion: apiVersionOf(ClusterResource),
  kind: "Cluster",
  metadata: { namespace, name: "orchid", uid: "c" },
  spec: {
    controlPlaneEndpoint: { host: "203.0.113.40", port: 6443 },
    clusterNetwork: {
      pods: { cidrBlocks: ["10.40.0.0/16", "fd00:40::/48"] },
      services: { cidrBlocks: ["10.41.0.0/20"] },
      serviceDomain: "orchid.local",
    },
    ...input.cluster,
  },
  status: { initialization: { controlPlaneInitialized: input.initialized === true } },
});

const machineOf = (namespace: string, input: Input): KubeObject => ({
  apiVersion: apiVersionOf(MachineResource),
  kind: "Machine",
  metadata: {
    namespace,
    name: "m",
    labels: input.controlPlane === true ? { [Label.controlPlane]: "" } : {},
  },
  spec: { version: input.version },
});

describe("the document that a machine gets", () => {
  it.each(cases)("%s", async (name) => {
    const input = parse(readFileSync(new URL(`${name}.input.yaml`, folder), "utf8")) as Input;
    await ensureNamespace(client, name);
    await createSecrets(name, { ...certificates, ...input.secrets });
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
    await createSecrets(name, { ...certificates, "orchid-etcd": { "tls.crt": certificate } });
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
    const why = `Secret ${name}/orchid-etcd has no key tls.key, with which a further machine of the control plane signs; put it there`;
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
