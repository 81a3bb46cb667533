import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterSecretType, Label } from "@capstan/contract";
import {
  ClusterResource,
  conditionOf,
  controllerOf,
  MachineResource,
  NamespaceResource,
  SecretResource,
  valueAt,
} from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import { AzureCluster, AzureClusterIdentity } from "@capstan/infra-azure/api";
import { ElementalHost, ElementalRegistration, TinkerbellCluster, TinkerbellMachine } from "@capstan/infra-metal/api";
import type { Client } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { GrpcStatus } from "@capstan/sim-metal";
import { freePort } from "@capstan/testing";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { Hardware, hardwareOwnerLabels, Template, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProviders } from "../src/modules/providers.ts";
import { webhookOptions } from "../src/webhooks/webhook-options.ts";
import { isTemporary, openedFiles } from "./boundary/opened-files.ts";
import { canary } from "./boundary/teams.ts";
import { folderOf } from "./boundary/tenant-run.ts";
import { tenantOf } from "./boundary/tenant.ts";
import { machinesApi, type MachinesApi } from "./machines-api.ts";
import { createManagedWorld, names as linodeNames, nothingOutside, type ManagedWorld } from "./managed-world.ts";
import { areHeeded } from "./webhook-cases.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const names = [...linodeNames, "controlplane-kubeadm", "infra-azure", "infra-metal", "tinkerbell"];
const namespace = "team-a";

let world: ManagedWorld;
let tenant: Awaited<ReturnType<typeof tenantOf>>;
let credentials: ReturnType<typeof folderOf>;
let machines: MachinesApi;
const folder = mkdtempSync(join(tmpdir(), "capstan-empty-"));

/** A manager that serves hosts, and objects of one namespace with credentials of its own, of which none is below the folder. */
const startManager = async (): Promise<void> => {
  const [webhookPort, port] = [await freePort(), await freePort()];
  const [grpc, http] = [await freePort(), await freePort()];
  machines = machinesApi({ grpc, http });
  const webhookUrl = `https://127.0.0.1:${webhookPort}`;
  const providers = await createProviders(names, nothingOutside);
  const webhooks = webhookOptions({ webhookUrl }, "capstan-system");
  await world.install({ serviceAccount: "capstan", webhooks, providers });
  const variables: Readonly<Record<string, string>> = {
    ELEMENTAL_API_ENDPOINT: `127.0.0.1:${port}`,
    ELEMENTAL_API_LISTEN: `127.0.0.1:${port}`,
    TINKERBELL_ADDRESS: "127.0.0.1",
  };
  const setOptions = [`tinkerbell.grpcPort=${grpc}`, `tinkerbell.httpPort=${http}`];
  const started = await world.start(
    { providers: names, setOptions, webhookUrl, defaultCredentials: { namespaces: [namespace], folder } },
    { access: await world.accessOf("capstan"), variables: (name) => variables[name] },
  );
  await started.manager.ready();
  tenant = await tenantOf(world.admin, world.kubeconfig, providers);
};

beforeAll(async () => {
  if (assets === "") return;
  credentials = folderOf(canary);
  const real = await startKubeApiserver({ assets });
  world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server: {
      url: real.url,
      caCertificate: real.certificateAuthority.certificate,
      adminKubeconfig: async () => real.kubeconfig,
      stop: () => real.stop(),
    },
  });
  for (const name of [namespace, "team-b"]) {
    await world.admin.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  await startManager();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  if (assets === "") return;
  await tenant[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  credentials[Symbol.dispose]();
});

const create = (
  kind: Resource,
  name: string,
  spec: object,
  { at = namespace, client = tenant.client }: { readonly at?: string; readonly client?: Client } = {},
): Promise<KubeObject> => {
  const metadata = { namespace: at, name };
  return client.create<KubeObject>(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec });
};

const get = (kind: Resource, name: string, at = namespace): Promise<KubeObject> =>
  world.admin.get<KubeObject>(kind, { namespace: at, name });

const jwt = (claims: object, key: KeyObject): string => {
  const signed = [{ alg: "EdDSA" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return [...signed, sign(null, Buffer.from(signed.join(".")), key).toString("base64url")].join(".");
};

const settingsOf = (registration: KubeObject) =>
  valueAt(registration, "spec.config.elemental.registration") as Readonly<Record<string, string>> | undefined;

const path = (named: string) => ({
  type: "UserAssignedIdentityCredential",
  userAssignedIdentityCredentialsPath: named,
});

describe.skipIf(assets === "")("a tenant of a real API server", () => {
  it("has a manager whose webhooks are heeded", async () => {
    await areHeeded(world);
    expect.hasAssertions();
  });

  const azure = { tenantID: "t", clientID: "c", allowedNamespaces: {} };

  /** A cluster that uses an identity; resolves when it says this reason. */
  const refused = async (at: string, name: string, identity: object, reason: string, client: Client): Promise<void> => {
    await create(AzureClusterIdentity, name, { ...azure, ...identity }, { at, client });
    const infrastructureRef = { apiGroup: AzureCluster.group, kind: AzureCluster.kind, name };
    await create(ClusterResource, name, { infrastructureRef }, { at, client });
    const identityRef = { apiVersion: apiVersionOf(AzureClusterIdentity), kind: AzureClusterIdentity.kind, name };
    await create(AzureCluster, name, { location: "westeurope", subscriptionID: "s", identityRef }, { at, client });
    await expect.poll(async () => conditionOf(await get(AzureCluster, name, at), "Ready")?.reason).toBe(reason);
  };

  it.each<[what: string, identity: () => object]>([
    ["a file with credentials", () => path(credentials.file)],
    ["a device", () => path("/dev/zero")],
    ["a file that is not there", () => path("/none")],
    ["a certificate", () => ({ type: "ServicePrincipalCertificate", certPath: credentials.file })],
  ])("has the manager open no file of its own: %s", async (what, identity) => {
    using opened = openedFiles((file) => isTemporary(file) && file !== credentials.file);
    const name = what.replaceAll(" ", "-");
    await refused(namespace, name, identity(), "CredentialsFileRefused", tenant.client);
    expect([...opened.unexpected]).toEqual([]);
  });

  it.each(["WorkloadIdentity", "UserAssignedMSI"])(
    "of a namespace that the administrator does not name is not the manager: %s",
    async (type) => {
      await refused("team-b", type.toLowerCase(), { type }, "DefaultCredentialsRefused", world.admin);
    },
  );

  it("keeps nobody waiting by a Template without end", async () => {
    const workflow = async (name: string, expression: string): Promise<void> => {
      const image = `  - {name: t, worker: w, actions: [{name: a, image: i, environment: {X: '${expression}'}}]}`;
      await create(Template, name, { data: `name: x\ntasks:\n${image}\n` });
      await create(Workflow, name, { templateRef: name, hardwareMap: { device_1: "w" } });
    };
    const replaced = '{{range until 100000}}{{$y := replace "a" "b" $x}}{{end}}';
    await workflow("endless", `{{$x := repeat 4000000 "a"}}${replaced}`);
    await workflow("short", "{{.device_1}}");
    const rendering = async (name: string) => valueAt(await get(Workflow, name), "status.templateRendering");
    await expect.poll(() => rendering("short")).toBe("successful");
    await expect.poll(() => rendering("endless")).toBe("failed");
  });

  it("registers no more hosts than the limit, with a token that expires", async () => {
    await create(ElementalRegistration, "fleet", { hostLimit: 2 });
    await expect.poll(async () => settingsOf(await get(ElementalRegistration, "fleet"))?.["token"] ?? "").not.toBe("");
    const { caCert, token = "", uri = "" } = settingsOf(await get(ElementalRegistration, "fleet")) ?? {};
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { exp?: number };
    expect(claims.exp).toBeGreaterThan(0);
    const register = async (name: string): Promise<number> => {
      const { privateKey, publicKey } = generateKeyPairSync("ed25519");
      const now = Math.floor(systemClock.now() / 1000);
      const own = jwt({ sub: name, aud: uri, nbf: now - 2, exp: now + 60 }, privateKey);
      const headers = { authorization: `Bearer ${own}`, "registration-authorization": `Bearer ${token}` };
      const { promise, reject, resolve } = Promise.withResolvers<number>();
      const sent = request(`${uri}/hosts`, { method: "POST", headers, ca: caCert }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
      });
      sent.once("error", reject);
      sent.end(JSON.stringify({ name, pubKey: publicKey.export({ format: "pem", type: "spki" }).toString() }));
      return promise;
    };
    const answers = await Promise.all(["a", "b", "c", "d"].map(register));
    expect(answers.toSorted((a, b) => a - b)).toEqual([201, 201, 403, 403]);
    expect((await world.admin.list(ElementalHost, { namespace })).items).toHaveLength(2);
  });

  /** A machine on metal that waits for Hardware. */
  const metalMachine = async (at: string, name: string, labels: Readonly<Record<string, string>>, client: Client) => {
    const part = (kind: Resource) => ({ apiGroup: kind.group, kind: kind.kind, name });
    await create(TinkerbellCluster, name, { controlPlaneEndpoint: { host: "192.0.2.9", port: 6443 } }, { at, client });
    await create(ClusterResource, name, { infrastructureRef: part(TinkerbellCluster) }, { at, client });
    const spec = {
      clusterName: name,
      version: "v1.34.1",
      bootstrap: { dataSecretName: name },
      infrastructureRef: part(TinkerbellMachine),
    };
    await create(MachineResource, name, spec, { at, client });
    const data = { value: Buffer.from(canary).toString("base64") };
    const metadata = { namespace: at, name };
    await world.admin.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata, data });
    const hardwareAffinity = { required: [{ labelSelector: { matchLabels: labels } }] };
    await create(TinkerbellMachine, name, { hardwareAffinity }, { at, client });
  };

  const hardware = (
    name: string,
    nth: number,
    labels: Readonly<Record<string, string>>,
    at: string,
    client: Client,
  ): Promise<KubeObject> => {
    const dhcp = { mac: `52:54:00:00:00:0${nth}`, ip: { address: `10.99.0.${nth}`, netmask: "255.255.255.0" } };
    const spec = { disks: [{ device: "/dev/sda" }], interfaces: [{ dhcp }] };
    const metadata = { namespace: at, name, labels };
    return client.create<KubeObject>(Hardware, {
      apiVersion: apiVersionOf(Hardware),
      kind: "Hardware",
      metadata,
      spec,
    });
  };

  const says = (name: string, at: string) => async (): Promise<string | undefined> =>
    conditionOf(await get(TinkerbellMachine, name, at), "HardwareClaimed")?.reason;

  it("gets no Hardware of another namespace, and has no other machine's data written into its own", async () => {
    const { admin } = world;
    await hardware("free", 1, { rack: "theirs" }, "team-b", admin);
    await metalMachine(namespace, "greedy", { rack: "theirs" }, tenant.client);
    await expect.poll(says("greedy", namespace)).toBe("NoHardware");
    const { annotations, finalizers, labels } = (await get(Hardware, "free", "team-b")).metadata;
    expect([labels, annotations, finalizers]).toEqual([{ rack: "theirs" }, undefined, undefined]);

    const owner = { [hardwareOwnerLabels.name]: "victim", [hardwareOwnerLabels.namespace]: "team-b" };
    await hardware("bait", 2, { rack: "wanted" }, namespace, tenant.client);
    await hardware("forged", 3, { rack: "wanted", ...owner }, namespace, tenant.client);
    await metalMachine("team-b", "victim", { rack: "wanted" }, admin);
    await expect.poll(says("victim", "team-b")).toBe("NoHardware");
    for (const name of ["bait", "forged"]) {
      const found = await get(Hardware, name);
      expect(JSON.stringify(found)).not.toContain(canary);
      expect(found.metadata.annotations ?? {}).toEqual({});
    }
  });

  it("is not a machine that another namespace described first", async () => {
    await hardware("first", 4, {}, "team-b", world.admin);
    await hardware("again", 4, { rack: "again" }, namespace, tenant.client);
    await metalMachine(namespace, "twin", { rack: "again" }, tenant.client);
    await expect.poll(says("twin", namespace)).toBe("MachineDescribedTwice");
  });

  it("leads to no cluster that takes a Secret for its authority which does not say that it is one", async () => {
    const { admin } = world;
    const at = "team-b";
    const cluster = async (name: string): Promise<void> => {
      const part = (kind: Resource) => ({ apiGroup: kind.group, kind: kind.kind, name });
      const endpoint = { controlPlaneEndpoint: { host: "192.0.2.9", port: 6443 } };
      await create(TinkerbellCluster, name, endpoint, { at, client: admin });
      const machineTemplate = {
        spec: { infrastructureRef: { ...part(TinkerbellMachine), kind: "TinkerbellMachineTemplate" } },
      };
      const spec = { replicas: 1, version: "v1.34.1", machineTemplate, kubeadmConfigSpec: { format: "cloud-config" } };
      await create(KubeadmControlPlane, name, spec, { at, client: admin });
      const references = { controlPlaneRef: part(KubeadmControlPlane), infrastructureRef: part(TinkerbellCluster) };
      await create(ClusterResource, name, references, { at, client: admin });
    };
    const authority = async (name: string, type: string, labels: Readonly<Record<string, string>>) => {
      const data = { "tls.crt": Buffer.from(canary).toString("base64"), "tls.key": "" };
      const metadata = { namespace: at, name: `${name}-ca`, labels };
      return admin.create<KubeObject>(SecretResource, { apiVersion: "v1", kind: "Secret", metadata, type, data });
    };
    const planted = {
      bare: await authority("bare", "Opaque", {}),
      opaque: await authority("opaque", "Opaque", { [Label.clusterName]: "opaque" }),
      unlabelled: await authority("unlabelled", clusterSecretType, {}),
    };
    for (const name of [...Object.keys(planted), "sound"]) await cluster(name);
    const available = async (name: string) =>
      conditionOf(await get(KubeadmControlPlane, name, at), "CertificatesAvailable");
    await expect.poll(async () => (await available("sound"))?.status).toBe("True");
    const made = await get(SecretResource, "sound-ca", at);
    expect([made["type"], made.metadata.labels?.[Label.clusterName]]).toEqual([clusterSecretType, "sound"]);
    expect(controllerOf(made)?.kind).toBe("KubeadmControlPlane");
    for (const [name, secret] of Object.entries(planted)) {
      await expect
        .poll(async () => (await available(name))?.message ?? "")
        .toContain(`${name}-ca is not used for the cluster`);
      expect(await get(SecretResource, `${name}-ca`, at)).toEqual(secret);
      expect(await admin.find(SecretResource, { namespace: at, name: `${name}-kubeconfig` })).toBeUndefined();
    }
  });

  it("runs and ends no Workflow of a machine in another namespace, which is served as before", async () => {
    const { admin } = world;
    const mac = "52:54:00:00:00:77";
    const own = "127.0.0.77";
    const interfaces = (address: string, of: string) => [
      { dhcp: { mac: of, ip: { address } }, netboot: { allowPXE: true } },
    ];
    const intruders: readonly (readonly [name: string, address: string, spec: object])[] = [
      ["agent", "127.0.0.11", { agentID: mac }],
      ["mac", "127.0.0.12", { interfaces: interfaces("127.0.0.12", mac) }],
      ["instance", "127.0.0.13", { metadata: { instance: { id: mac } } }],
      ["address", "127.0.0.14", { interfaces: interfaces(own, mac) }],
    ];
    for (const [index, [name, address]] of intruders.entries()) {
      await create(Hardware, `${name}-intruder`, { interfaces: interfaces(address, `52:54:00:00:01:0${index}`) });
    }
    const theirs = { at: "team-b", client: admin };
    const metadata = { instance: { id: "theirs", hostname: "their-node" } };
    await create(Hardware, "theirs", { interfaces: interfaces(own, mac), metadata }, theirs);
    const action = `{name: a, image: i, environment: {PASSWORD: ${canary}}}`;
    const data = `name: x\ntasks:\n  - {name: t, worker: "{{.device_1}}", actions: [${action}]}\n`;
    await create(Template, "theirs", { data }, theirs);
    const spec = { templateRef: "theirs", hardwareRef: "theirs", hardwareMap: { device_1: mac } };
    await create(Workflow, "theirs", spec, theirs);
    const workflow = () => get(Workflow, "theirs", "team-b");
    await expect.poll(async () => valueAt(await workflow(), "status.state")).toBe("PENDING");
    const served = () =>
      Promise.all(
        ["/2009-04-04/meta-data/hostname", "/auto.ipxe", `/ipxe/script/${mac}/auto.ipxe`].map((of) =>
          machines.get(of, own),
        ),
      );
    const before = await served();
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(before[0]?.text).toBe("their-node");

    for (const [name, , change] of intruders) {
      const key = { namespace, name: `${name}-intruder` };
      await tenant.client.patch(Hardware, key, { type: "merge", body: { spec: change } });
      const unique = async () => conditionOf(await get(Hardware, key.name), "MachineUnique")?.reason;
      await expect.poll(unique).toBe("MachineDescribedBefore");
    }
    const [task] = valueAt(await workflow(), "status.tasks") as readonly { id: string; actions: { id: string }[] }[];
    const ids = { workflowId: "team-b/theirs", agentId: mac, taskId: task?.id, actionId: task?.actions[0]?.id };
    const report = { ...ids, actionState: "SUCCESS" };
    const answers = await Promise.all(
      intruders.flatMap(([, address]) => [
        machines.call("GetAction", { agentId: mac }, address),
        machines.call("ReportActionStatus", report, address),
      ]),
    );
    expect(answers).toEqual(answers.map(() => ({ code: GrpcStatus.notFound })));
    expect(valueAt(await workflow(), "status.state")).toBe("PENDING");
    expect(await served()).toEqual(before);
    expect(await machines.call("GetAction", { agentId: mac }, own)).toMatchObject({
      environment: [`PASSWORD=${canary}`],
    });
    expect(await machines.call("ReportActionStatus", report, own)).toEqual({});
    await expect.poll(async () => valueAt(await workflow(), "status.state")).toBe("SUCCESS");
  });

  it("has ended no manager by any of this", () => {
    expect(world.failures).toEqual([]);
  });
});
