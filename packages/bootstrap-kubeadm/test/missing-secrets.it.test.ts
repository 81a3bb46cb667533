import { readFileSync } from "node:fs";
import { conditionOf, MachineResource, SecretResource, valueAt } from "@capstan/contract/wire";
import { workloadClusters } from "@capstan/kit/workload";
import { toBase64 } from "@capstan/kube-values";
import { resource } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KubeadmConfig, KubeadmConfigTemplate } from "../src/api.ts";
import { createBootstrapKubeadmProvider } from "../src/index.ts";
import { ensureNamespace, workloadOf } from "./own-workload.ts";

const EventResource = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

const certificate = readFileSync(new URL("__fixtures__/ca.crt", import.meta.url), "utf8");
const pair = { "tls.crt": toBase64(certificate), "tls.key": toBase64("key") };

/** The time between two attempts is two minutes at the most: what comes in between has to wake the config. */
const longMs = 600_000;
const soonMs = 5_000;

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([KubeadmConfig, KubeadmConfigTemplate]);
  await ensureNamespace(environment.client, "kube-system");
});
afterAll(() => environment.stop());

interface Case {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly controlPlane: boolean;
  /** Default: the control plane is there. */
  readonly initialized?: false;
  /** Keys of the Secret that is not right at first; `undefined`: it is not there. */
  readonly before: Readonly<Record<string, string>> | undefined;
  readonly secret: string;
  readonly data: Readonly<Record<string, string>>;
  readonly reason: string;
  /** Where the cause is said. */
  readonly says: { readonly type: string; readonly status: string; readonly reason: string };
}

const contentFrom = { secret: { name: "contents", key: "motd" } };
const passwdFrom = { secret: { name: "contents", key: "motd" } };
const worker = {
  controlPlane: false,
  secret: "contents",
  data: { motd: toBase64("hello") },
  reason: "ContentMissing",
  says: { type: "DataSecretAvailable", status: "False", reason: "NotAvailable" },
};
const further = {
  controlPlane: true,
  spec: { verbosity: 1 },
  secret: "orchid-etcd",
  data: pair,
  says: { type: "CertificatesAvailable", status: "Unknown", reason: "InternalError" },
};

const external = {
  endpoints: ["https://192.0.2.5:2379"],
  caFile: "/etc/etcd/ca.crt",
  certFile: "/etc/etcd/client.crt",
  keyFile: "/etc/etcd/client.key",
};

const cases: Readonly<Record<string, Case>> = {
  "the content of a file": { ...worker, spec: { files: [{ path: "/etc/motd", contentFrom }] }, before: undefined },
  "a key of it": { ...worker, spec: { files: [{ path: "/etc/motd", contentFrom }] }, before: { other: "" } },
  "a password": { ...worker, spec: { users: [{ name: "ops", passwdFrom }] }, before: undefined },
  "a certificate": { ...further, before: undefined, reason: "CertificatesMissing" },
  "a certificate that can be read": {
    ...further,
    before: { "tls.crt": toBase64("x") },
    reason: "CertificatesCorrupted",
  },
  "the authority of an external etcd": {
    ...further,
    spec: { clusterConfiguration: { etcd: { external } } },
    initialized: false,
    before: undefined,
    reason: "CertificatesMissing",
    says: worker.says,
  },
};

it.each(Object.entries(cases))("goes on at once when %s is there", { timeout: 60_000 }, async (_, each) => {
  const core = new CorePart(environment.client, await environment.namespace());
  await core.createCluster({ controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } });
  await core.infrastructureProvisioned();
  if (each.initialized !== false) await core.controlPlaneInitialized();
  const names = ["orchid-ca", "orchid-etcd", "orchid-proxy", "orchid-sa", "orchid-apiserver-etcd-client"].filter(
    (name) => name !== each.secret,
  );
  for (const name of names) await core.createSecret(name, pair);
  if (each.before !== undefined) await core.createSecret(each.secret, each.before);
  const configRef = { apiGroup: KubeadmConfig.group, kind: KubeadmConfig.kind, name: "b" };
  const machine = await core.createMachine("m", { bootstrap: { configRef } }, { controlPlane: each.controlPlane });
  const owner = { kind: MachineResource, object: machine, controller: true };
  await core.createOwned(KubeadmConfig, "b", each.spec, owner);
  const prepare: NonNullable<ConstructorParameters<typeof SceneManagers>[1]["prepare"]> = (manager) =>
    manager.provide(workloadClusters, workloadOf(environment.client));
  const provider = () => createBootstrapKubeadmProvider();
  const managers = new SceneManagers(environment, { provider, prepare }, core.namespace);
  await managers.start();
  const condition = (found: KubeadmConfig | undefined, type: string) =>
    found === undefined ? undefined : conditionOf(found, type);
  const missing = await environment.eventually<KubeadmConfig>(
    KubeadmConfig,
    core.key("b"),
    (found) => condition(found, "Ready")?.message.includes(`${core.namespace}/${each.secret}`) === true,
  );
  const { message } = condition(missing, each.says.type) ?? {};
  expect(condition(missing, each.says.type)).toMatchObject(each.says);
  expect(condition(missing, "Ready")?.message).toContain(`* ${each.says.type}: ${message}`);
  await expect
    .poll(async () => {
      const { items } = await environment.client.list(EventResource, { namespace: core.namespace });
      return items.map((event) => valueAt(event, "reason"));
    })
    .toContain(each.reason);
  await environment.pass(longMs);
  if (each.before === undefined) await core.createSecret(each.secret, each.data);
  else await core.patch(SecretResource, each.secret, { data: each.data });
  await environment.eventually<KubeadmConfig>(
    KubeadmConfig,
    core.key("b"),
    (found) => condition(found, "Ready")?.status === "True",
    soonMs,
  );
  await managers.stopAll();
});
