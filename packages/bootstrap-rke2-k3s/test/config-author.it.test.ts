import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { createApiServer, customResources, type ApiServer } from "@capstan/apiserver";
import { Group, Label, silentLogger } from "@capstan/contract";
import {
  ClusterResource,
  conditionOf,
  ConfigMapResource,
  CustomResourceDefinitionResource,
  isControlPlane,
  MachineResource,
  SecretResource,
} from "@capstan/contract/wire";
import type { BootstrapContext } from "@capstan/kit/bootstrap";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { apiVersionOf, crdOf, type KubeObject, type OwnerReference, resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ConfigAnnotation, KThreesConfig, pinAuthorityAnnotation, RKE2Config } from "../src/api.ts";
import { configAuthor } from "../src/config/config-author.ts";
import { kthreesConfigKind } from "../src/config/kthrees-config-kind.ts";
import { rke2ConfigKind } from "../src/config/rke2-config-kind.ts";
import { createClusterSecret, secretReads } from "./cluster-secrets.ts";
import { RKE2ControlPlane } from "./rke2-control-plane.ts";

const NamespaceResource = resource({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
});

const clock = recentClock();
const namespace = "default";
const author = configAuthor(rke2ConfigKind, { concurrency: 1 });
let server: ApiServer;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  server = createApiServer({ clock, random: seededRandom(7), extensions: [customResources()] });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  client = createClient(connection);
  const definition = { ...crdOf(RKE2ControlPlane) } as unknown as KubeObject;
  await client.create(CustomResourceDefinitionResource, definition);
  const name = `${RKE2ControlPlane.plural}.${RKE2ControlPlane.group}`;
  await clock.advanceUntil(
    async () =>
      conditionOf(await client.get(CustomResourceDefinitionResource, { name }), "Established")?.status === "True",
  );
});

afterAll(async () => {
  await connection.close();
  await server.stop();
});

interface Input {
  readonly cluster: string;
  readonly version?: string;
  readonly isServer?: boolean;
  readonly initialized?: boolean;
  readonly spec?: RKE2Config["spec"];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly clusterAnnotations?: Readonly<Record<string, string>>;
  readonly owners?: readonly OwnerReference[];
}

/** What a manager hands to the author. */
const contextOf = (input: Input): BootstrapContext<RKE2Config> => {
  const { annotations = {}, cluster: name, initialized = true, isServer = false, version = "v1.35.4+rke2r1" } = input;
  const machine: KubeObject = {
    apiVersion: apiVersionOf(MachineResource),
    kind: "Machine",
    metadata: {
      namespace,
      name: "m",
      labels: isServer ? { [Label.controlPlane]: "" } : {},
      ...(input.owners !== undefined && { ownerReferences: input.owners }),
    },
    spec: { version },
  };
  const controlPlaneRef = { apiGroup: Group.controlPlane, kind: RKE2ControlPlane.kind, name };
  const clusterAnnotations = { "capstan.dev/key-algorithm": "ECDSA-P256", ...input.clusterAnnotations };
  const cluster = {
    apiVersion: apiVersionOf(ClusterResource),
    kind: "Cluster",
    metadata: { namespace, name, uid: "c", annotations: clusterAnnotations },
    spec: {
      controlPlaneEndpoint: { host: "198.51.100.7", port: 6443 },
      ...(input.owners === undefined && { controlPlaneRef }),
    },
    status: { initialization: { controlPlaneInitialized: initialized } },
  };
  return {
    object: {
      apiVersion: apiVersionOf(RKE2Config),
      kind: RKE2Config.kind,
      metadata: { namespace, name: "m", annotations },
      ...(input.spec !== undefined && { spec: input.spec }),
    },
    machine,
    cluster,
    controlPlane: isControlPlane(machine),
    client,
    clock,
    random: seededRandom(42),
    log: silentLogger,
    call: { signal: new AbortController().signal },
    event: () => undefined,
    persistSpec: () => Promise.reject(new Error("nothing is written to the spec")),
    mayBeLocked: () => true,
    awaitsLock: () => undefined,
    ...secretReads({ client, cluster, namespace }),
    workload: () => Promise.reject(new Error("the workload cluster is not asked")),
    uses: {},
    condition: () => undefined,
  };
};

const documentOf = async (input: Input): Promise<string> => {
  const outcome = await author.generate(contextOf(input));
  if (outcome.state !== "ready") throw new Error(`it waits: ${outcome.message}`);
  return String(outcome.value);
};

const createSecret = (name: string, stringData: Readonly<Record<string, string>>) =>
  createClusterSecret({ client, namespace }, name, stringData);

const createControlPlane = async (
  name: string,
  spec: object,
  status?: object,
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const metadata = { namespace, name, annotations };
  const version = "v1.35.4+rke2r1";
  const object = { apiVersion: apiVersionOf(RKE2ControlPlane), kind: RKE2ControlPlane.kind, metadata };
  await client.create(RKE2ControlPlane, { ...object, spec: { version, ...spec } });
  if (status === undefined) return;
  await client.patch(RKE2ControlPlane, metadata, { type: "merge", body: { status } }, { subresource: "status" });
};

describe("the document of an RKE2Config", () => {
  it("of the first server is the same when it is asked for again, with the authorities of the cluster", async () => {
    const input = { cluster: "first", isServer: true, initialized: false };
    const document = await documentOf(input);
    expect(await documentOf(input)).toBe(document);
    const { data } = (await client.get(SecretResource, { namespace, name: "first-peer-etcd" })) as KubeObject & {
      readonly data: Readonly<Record<string, string>>;
    };
    const certificate = Buffer.from(data["tls.crt"] ?? "", "base64").toString();
    expect(document).toContain(certificate.split("\n")[1]);
    expect(document).not.toMatch(/^ +server: /m);
  });

  it("waits for a server's address, and registers there", async () => {
    await createSecret("inside-token", { value: "secret" });
    await createControlPlane("inside", { registrationMethod: "internal-only-ips" });
    const input = { cluster: "inside" };
    expect(await author.generate(contextOf(input))).toMatchObject({
      state: "waiting",
      message: expect.stringContaining("status.availableServerIPs of RKE2ControlPlane default/inside"),
    });
    const body = { status: { availableServerIPs: ["2001:db8::4"] } };
    const key = { namespace, name: "inside" };
    await client.patch(RKE2ControlPlane, key, { type: "merge", body }, { subresource: "status" });
    expect(await documentOf(input)).toContain("server: https://[2001:db8::4]:9345");
  });

  it("registers at the address of the control plane, which is among the names of its servers", async () => {
    await createSecret("outside-token", { value: "secret" });
    await createControlPlane("outside", { registrationMethod: "address", registrationAddress: "join.example" });
    const document = await documentOf({ cluster: "outside", isServer: true });
    expect(document).toContain("server: https://join.example:9345");
    expect(document).toMatch(/tls-san:\n +- 198\.51\.100\.7\n +- join\.example/);
  });

  it("gives agents a token of their own", async () => {
    await createSecret("two-token", { value: "for-servers" });
    await createSecret("two-agent-token", { value: "for-agents" });
    const agent = await documentOf({ cluster: "two" });
    expect(agent).toContain(" token: for-agents");
    expect(agent).not.toContain("for-servers");
    const joining = await documentOf({ cluster: "two", isServer: true });
    expect(joining).toContain(" token: for-servers");
    expect(joining).toContain("agent-token: for-agents");
  });

  it("has keys of the distribution that have no field, but none of the provider's", async () => {
    const annotate = (text: string): Input => ({
      cluster: "two",
      annotations: { [ConfigAnnotation.extraConfig]: text },
    });
    expect(await documentOf(annotate("node-ip: 10.0.0.1\n"))).toContain("node-ip: 10.0.0.1");
    for (const text of ["server: https://elsewhere", "token+: [a]", "a: [", "- a"]) {
      await expect(documentOf(annotate(text))).rejects.toMatchObject({ code: "distribution.annotation_invalid" });
    }
  });

  it("takes settings of snapshots from a Secret of the cluster, without credentials of its own", async () => {
    const text = "etcd-s3: true\netcd-s3-config-secret: etcd-snapshots\n";
    const document = await documentOf({
      cluster: "two",
      isServer: true,
      annotations: { [ConfigAnnotation.extraConfig]: text },
    });
    expect(document.match(/etcd-s3[^\n]*/g)).toEqual(["etcd-s3: true", "etcd-s3-config-secret: etcd-snapshots"]);
  });

  it("installs by a script of one's own, with its variables, through a proxy", async () => {
    const document = await documentOf({
      cluster: "two",
      annotations: {
        [ConfigAnnotation.installer]:
          'url: https://mirror.example/rke2.sh?a=1&b=2\nvariables: {INSTALL_RKE2_METHOD: tar, https_proxy: "http://it\'s:3128"}\n',
      },
    });
    const { runcmd } = parse(document) as { readonly runcmd: readonly string[] };
    expect(runcmd[0]).toContain(
      "https_proxy='http://it'\\''s:3128' curl -sfL --retry 5 -o /run/rke2-install.sh 'https://mirror.example/rke2.sh?a=1&b=2' && ",
    );
    expect(runcmd[0]).toContain(
      "INSTALL_RKE2_VERSION='v1.35.4+rke2r1' INSTALL_RKE2_METHOD='tar' https_proxy='http://it'\\''s:3128' INSTALL_RKE2_TYPE='agent' sh ",
    );
  });

  it.each([
    ["variables: {INSTALL_RKE2_VERSION: v1.30.0+rke2r1}", {}, /must not set INSTALL_RKE2_VERSION/],
    ["variables: {INSTALL_RKE2_COMMIT: abc}", {}, /must not set INSTALL_RKE2_COMMIT/],
    ["variables: {A: 1}", {}, /quote numbers/],
    ["variables: {'A B': x}", {}, /names to strings/],
    ["url: file:///a", {}, /as url/],
    ["url: https://a.example", { agentConfig: { airGapped: true } }, /airGapped/],
    ["script: https://a.example", {}, /key script/],
  ])("refuses an installer that is %s", async (text, spec, message) => {
    const input = { cluster: "two", spec, annotations: { [ConfigAnnotation.installer]: text } };
    await expect(documentOf(input)).rejects.toMatchObject({
      code: "distribution.annotation_invalid",
      message: expect.stringMatching(message),
    });
  });

  it("pins the authority that the first server has, where that is asked for", async () => {
    const clusterAnnotations = { [pinAuthorityAnnotation]: "true" };
    const first = await documentOf({ cluster: "pinned", isServer: true, initialized: false, clusterAnnotations });
    const fileOf = (document: string, path: string): string =>
      (
        parse(document) as { readonly write_files: readonly { readonly path: string; readonly content: string }[] }
      ).write_files.find((file) => file.path === path)?.content ?? "";
    const config = (document: string) =>
      parse(fileOf(document, "/etc/rancher/rke2/config.yaml")) as Readonly<Record<string, string>>;
    const authority = fileOf(first, "/var/lib/rancher/rke2/server/tls/server-ca.crt");
    const hash = createHash("sha256").update(authority).digest("hex");
    const { token } = config(first);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    for (const isServer of [true, false]) {
      const joining = await documentOf({ cluster: "pinned", isServer, clusterAnnotations });
      expect(config(joining)["token"]).toBe(`K10${hash}::server:${token}`);
    }
    await createSecret("pinned-agent-token", { value: "for-agents" });
    const agent = await documentOf({ cluster: "pinned", clusterAnnotations });
    expect(config(agent)["token"]).toBe(`K10${hash}::node:for-agents`);
    await expect(
      documentOf({ cluster: "pinned", clusterAnnotations: { [pinAuthorityAnnotation]: "yes" } }),
    ).rejects.toThrow(/capstan\.dev\/pin-authority is "yes"; use true or false/);
  });

  it("has tokens and data of Secrets as they are, also what looks like a template", async () => {
    const value = "a{{ b }}\"c'{%{#d";
    await createSecret("odd-token", { value });
    const document = await documentOf({ cluster: "odd" });
    expect(document).not.toContain("{{ b }}");
    expect(document).toContain(`a{{ '{{' }} b }}"c'{{ '{%' }}{{ '{#' }}d`);
    const agentConfig = { format: "ignition" } as const;
    const { storage } = JSON.parse(await documentOf({ cluster: "odd", spec: { agentConfig } })) as {
      readonly storage: {
        readonly files: readonly { readonly path: string; readonly contents: { readonly source: string } }[];
      };
    };
    const [, encoded = ""] = storage.files
      .find(({ path }) => path.endsWith("/config.yaml"))!
      .contents.source.split(",");
    expect(parse(Buffer.from(encoded, "base64").toString())).toMatchObject({ token: value });
  });

  it("finds the control plane that owns its Machine, whatever version the reference has", async () => {
    await createControlPlane("owner", { registrationMethod: "address", registrationAddress: "owner.example" });
    await createSecret("owned-token", { value: "secret" });
    const reference = { kind: RKE2ControlPlane.kind, name: "owner", uid: "o" };
    for (const version of ["v1alpha1", "v1beta1", "v1beta2"]) {
      const owners = [{ ...reference, apiVersion: `${Group.controlPlane}/${version}` }];
      expect(await documentOf({ cluster: "owned", owners })).toContain("server: https://owner.example:9345");
    }
  });

  it("waits for the token of the cluster until its Secret is there", async () => {
    const outcome = await author.generate(contextOf({ cluster: "late" }));
    expect(outcome).toEqual({
      state: "waiting",
      reason: "WaitingForToken",
      message: "waiting for Secret late-token with the cluster's token",
    });
  });

  it("has what references name, in the own namespace or another, and manifests on servers alone", async () => {
    await createSecret("referring-token", { value: "secret" });
    await createSecret("audit", { "audit-policy.yaml": "own: true\n" });
    const other = "other";
    const metadata = { namespace: other, name: "manifests" };
    await client.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name: other } });
    await client.create(ConfigMapResource, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { "app.yaml": "kind: List\n" },
    });
    await createControlPlane("referring", {
      serverConfig: { auditPolicySecret: { name: "audit" } },
      manifestsConfigMapReference: metadata,
    });
    const server = await documentOf({ cluster: "referring", isServer: true });
    expect(server).toContain("own: true");
    expect(server).toContain("path: /var/lib/rancher/rke2/server/manifests/app.yaml");
    const agent = await documentOf({ cluster: "referring" });
    expect(agent).not.toMatch(/own: true|manifests/);
  });

  it("makes two authorities for control planes of upstream's first release", async () => {
    await createControlPlane("old", {}, undefined, { "controlplane.cluster.x-k8s.io/legacy": "" });
    const document = await documentOf({ cluster: "old", isServer: true, initialized: false });
    expect(document.match(/tls\/[a-z/-]+\.crt/g)).toEqual(["tls/server-ca.crt", "tls/client-ca.crt"]);
    expect(await client.find(SecretResource, { namespace, name: "old-etcd" })).toBeUndefined();
  });

  it("says in CertificatesAvailable that the authority to pin cannot be read", async () => {
    await createSecret("spoilt-token", { value: "secret" });
    await createSecret("spoilt-ca", { "tls.crt": "nonsense" });
    const conditions: object[] = [];
    const input = { cluster: "spoilt", clusterAnnotations: { [pinAuthorityAnnotation]: "true" } };
    const context = { ...contextOf(input), condition: (one: object) => void conditions.push(one) };
    await expect(author.generate(context)).rejects.toThrow("Secret default/spoilt-ca: tls.crt");
    expect(conditions).toMatchObject([{ type: "CertificatesAvailable", status: "Unknown" }]);
  });

  it("is packed where that is asked for, and says its size as it is then", async () => {
    const spec = { gzipUserData: true, files: [{ path: "/a", content: "x".repeat(30_000) }] };
    const plain = await documentOf({ cluster: "two", spec: { ...spec, gzipUserData: false } });
    const events: string[] = [];
    const context = (gzipUserData: boolean, format: "cloud-config" | "ignition") => ({
      ...contextOf({ cluster: "two", spec: { ...spec, gzipUserData, agentConfig: { format } } }),
      event: ({ message }: { readonly message: string }) => void events.push(message),
    });
    const packed = await author.generate(context(true, "cloud-config"));
    if (packed.state !== "ready") throw new Error("it waits");
    expect(packed.format).toBe("cloud-config");
    expect(gunzipSync(packed.value as Uint8Array).toString()).toBe(plain);
    expect(events).toEqual([]);
    const ignition = await author.generate(context(true, "ignition"));
    if (ignition.state !== "ready") throw new Error("it waits");
    expect(ignition.format).toBe("ignition");
    expect(JSON.parse(String(ignition.value))).toMatchObject({
      ignition: { config: { replace: { compression: "gzip" } } },
    });
    await author.generate(context(false, "cloud-config"));
    expect(events).toEqual([expect.stringMatching(/^the bootstrap data has 30\d{3} bytes, more than the 16384/)]);
  });

  it("is refused without the version's suffix, and without a key of a Secret, by name", async () => {
    await expect(documentOf({ cluster: "two", version: "v1.35.4" })).rejects.toMatchObject({
      code: "distribution.version_invalid",
      message: expect.stringMatching(/^Machine\.spec\.version "v1\.35\.4" .*v1\.35\.4\+rke2r1$/),
    });
    const files = [{ path: "/a", contentFrom: { secret: { name: "two-token", key: "missing" } } }];
    await expect(documentOf({ cluster: "two", spec: { files } })).rejects.toMatchObject({
      code: "bootstrap.content_missing",
      message: expect.stringMatching(/^spec\.files\[0\]\.contentFrom .*"missing"; its keys are value$/),
    });
  });
});

it("a KThreesConfig installs its own version, or the Machine's", async () => {
  const k3sAuthor = configAuthor(kthreesConfigKind, { concurrency: 1 });
  await createSecret("light-token", { value: "secret" });
  for (const [own, installed] of [
    ["v1.34.1+k3s2", "v1.34.1+k3s2"],
    ["", "v1.35.4+k3s1"],
  ] as const) {
    const { object, ...context } = contextOf({ cluster: "light", version: "v1.35.4+k3s1" });
    const config = { ...object, kind: KThreesConfig.kind, spec: { version: own } };
    const outcome = await k3sAuthor.generate({ ...context, object: config });
    expect(outcome).toMatchObject({
      state: "ready",
      value: expect.stringContaining(`INSTALL_K3S_VERSION='${installed}'`),
    });
  }
});
