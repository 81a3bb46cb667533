import { Group, Label } from "@capstan/contract";
import { conditionOf, ConfigMapResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import { fromBase64, toBase64 } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KThreesConfig, RKE2Config } from "../src/api.ts";
import { createBootstrapRke2K3sProvider } from "../src/index.ts";
import { RKE2ControlPlane } from "./rke2-control-plane.ts";

let environment: ConformanceEnvironment;
let core: CorePart;
let managers: SceneManagers;

beforeEach(async () => {
  environment = await ConformanceEnvironment.start([KThreesConfig, RKE2Config, RKE2ControlPlane]);
  core = new CorePart(environment.client, await environment.namespace());
  managers = new SceneManagers(environment, { provider: () => createBootstrapRke2K3sProvider() }, core.namespace);
  await core.createCluster({
    controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 },
    controlPlaneRef: { apiGroup: Group.controlPlane, kind: RKE2ControlPlane.kind, name: "plane" },
  });
  await core.infrastructureProvisioned();
});

afterEach(async () => {
  await managers.stopAll();
  await environment.stop();
});

const createNode = async (kind: Resource, version: string, options?: { controlPlane: boolean }): Promise<void> => {
  const configRef = { apiGroup: kind.group, kind: kind.kind, name: "b" };
  const machine = await core.createMachine("m", { version, bootstrap: { configRef } }, options);
  await core.createOwned(kind, "b", {}, { kind: MachineResource, object: machine, controller: true });
};

/** Within half a minute, which no poll of a server that waits is as short as. */
const untilConfig = (kind: Resource, test: (object: KubeObject) => boolean) =>
  environment.eventually<KubeObject>(kind, core.key("b"), (object) => object !== undefined && test(object), 30_000);

/** The config waits for the reason, and two minutes change nothing. */
const expectQuiet = async (kind: Resource, reason: string): Promise<void> => {
  await untilConfig(kind, (object) => conditionOf(object, "DataSecretAvailable")?.reason === reason);
  const { resourceVersion } = (await environment.client.get(kind, core.key("b"))).metadata;
  await environment.pass(120_000);
  expect((await environment.client.get(kind, core.key("b"))).metadata.resourceVersion).toBe(resourceVersion);
};

const documentOf = async (kind: Resource): Promise<string> => {
  await untilConfig(kind, (object) => conditionOf(object, "Ready")?.status === "True");
  const secret = (await environment.client.get(SecretResource, core.key("b"))) as KubeObject & {
    readonly data: Readonly<Record<string, string>>;
  };
  return fromBase64(secret.data["value"] ?? "");
};

it("an agent that waits for a server's address is woken by its control plane, and asks nobody meanwhile", async () => {
  await core.controlPlaneInitialized();
  await core.createSecret("orchid-token", { value: toBase64("token") });
  await environment.client.create(RKE2ControlPlane, {
    apiVersion: apiVersionOf(RKE2ControlPlane),
    kind: RKE2ControlPlane.kind,
    metadata: { ...core.key("plane"), labels: { [Label.clusterName]: core.clusterName } },
    spec: { version: "v1.35.4+rke2r1", registrationMethod: "internal-only-ips", rolloutStrategy: {} },
  });
  await createNode(RKE2Config, "v1.35.4+rke2r1");
  await managers.start();
  await expectQuiet(RKE2Config, "WaitingForServer");
  const patch = { type: "merge", body: { status: { availableServerIPs: ["10.8.0.4"] } } } as const;
  await environment.client.patch(RKE2ControlPlane, core.key("plane"), patch, { subresource: "status" });
  expect(await documentOf(RKE2Config)).toContain("server: https://10.8.0.4:9345");
});

it("an agent waits for the control plane, and for the token of the cluster, until they are there", async () => {
  await createNode(KThreesConfig, "v1.35.4+k3s1");
  await managers.start();
  await expectQuiet(KThreesConfig, "WaitingForControlPlaneAvailable");
  await core.controlPlaneInitialized();
  await expectQuiet(KThreesConfig, "WaitingForToken");
  await core.createSecret("orchid-token", { value: toBase64("made-late") });
  expect(await documentOf(KThreesConfig)).toContain("token: made-late");
});

const lockKey = () => core.key("orchid-lock");

it.each([
  { what: "the lock is given back", end: () => environment.client.delete(ConfigMapResource, lockKey()) },
  { what: "its holder is gone", end: () => environment.client.delete(MachineResource, core.key("first")) },
])("a server that may not begin the cluster is woken when $what, and asks nobody meanwhile", async ({ end }) => {
  await core.createMachine("first", { bootstrap: { dataSecretName: "x" } }, { controlPlane: true });
  const data = { "lock-information": '{"machineName":"first"}' };
  const lock = { apiVersion: "v1", kind: "ConfigMap", metadata: lockKey(), data };
  await environment.client.create(ConfigMapResource, lock);
  await createNode(KThreesConfig, "v1.35.4+k3s1", { controlPlane: true });
  await managers.start();
  await expectQuiet(KThreesConfig, "WaitingForControlPlaneAvailable");
  await end();
  expect(await documentOf(KThreesConfig)).toContain("cluster-init: true");
});

it("a server begins no second cluster while the first has its Node and the Cluster does not say so yet", async () => {
  const version = "v1.35.4+k3s1";
  const configRef = { apiGroup: KThreesConfig.group, kind: KThreesConfig.kind, name: "first" };
  const first = await core.createMachine("first", { version, bootstrap: { configRef } }, { controlPlane: true });
  await core.createOwned(KThreesConfig, "first", {}, { kind: MachineResource, object: first, controller: true });
  await managers.start();
  const isReady = (config?: KubeObject): boolean =>
    config !== undefined && conditionOf(config, "DataSecretAvailable")?.status === "True";
  await environment.eventually<KubeObject>(KThreesConfig, core.key("first"), isReady);
  const body = { status: { nodeRef: { name: "first" } } };
  await environment.client.patch(
    MachineResource,
    core.key("first"),
    { type: "merge", body },
    { subresource: "status" },
  );
  await environment.pass(10_000);
  await createNode(KThreesConfig, version, { controlPlane: true });
  await expectQuiet(KThreesConfig, "WaitingForControlPlaneAvailable");
  await core.controlPlaneInitialized();
  expect(await documentOf(KThreesConfig)).not.toContain("cluster-init: true");
  expect(await environment.client.find(ConfigMapResource, lockKey())).toBeUndefined();
});

it("a server that cannot begin the cluster lets another begin it, and tries again at its own pace", async () => {
  const version = "v1.35.4+k3s1";
  const files = [{ path: "/etc/x", contentFrom: { secret: { name: "not-there", key: "x" } } }];
  const configRef = { apiGroup: KThreesConfig.group, kind: KThreesConfig.kind, name: "broken" };
  const broken = await core.createMachine("broken", { version, bootstrap: { configRef } }, { controlPlane: true });
  const owner = { kind: MachineResource, object: broken, controller: true };
  await core.createOwned(KThreesConfig, "broken", { files }, owner);
  await managers.start();
  const failed = (config?: KubeObject): boolean =>
    config !== undefined && conditionOf(config, "DataSecretAvailable")?.message?.includes("not-there") === true;
  await environment.eventually<KubeObject>(KThreesConfig, core.key("broken"), failed);
  await createNode(KThreesConfig, version, { controlPlane: true });
  expect(await documentOf(KThreesConfig)).toContain("cluster-init: true");
});

it.each([
  [RKE2Config, "v1.35.4+rke2r1", { status: "Unknown", reason: "InternalError" }],
  [KThreesConfig, "v1.35.4+k3s1", { status: "False", reason: "CertificatesCorrupted" }],
])("$kind says in CertificatesAvailable which authority cannot be read", async (kind, version, expected) => {
  await core.createSecret("orchid-ca", { "tls.crt": toBase64("nonsense"), "tls.key": toBase64("nonsense") });
  await createNode(kind, version, { controlPlane: true });
  await managers.start();
  const type = "CertificatesAvailable";
  await untilConfig(kind, (object) => conditionOf(object, type) !== undefined);
  const message = expect.stringContaining("orchid-ca: tls.crt") as unknown;
  const config = await environment.client.get<KubeObject>(kind, core.key("b"));
  expect(conditionOf(config, type)).toMatchObject({ ...expected, message });
});
