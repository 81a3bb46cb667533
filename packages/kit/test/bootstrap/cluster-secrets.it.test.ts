import { clusterSecretType, Label } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import {
  adminKubeconfig,
  certificateFiles,
  clusterAuthority,
  ensureCertificates,
  ensureClusterToken,
  findCertificates,
  findClusterToken,
  ownCertificates,
  requireCertificates,
  secretBytes,
  secretText,
  type ClusterCertificate,
} from "@capstan/kit/bootstrap";
import { createCertificateAuthority, parseKubeconfig, readCertificate } from "@capstan/pki";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { managementCluster, type ManagementCluster } from "./management-cluster.ts";

const dayMs = 86_400_000;
const algorithm = "ECDSA-P256";

/** As RKE2 has them, and keys for ServiceAccounts. */
const certificates: readonly ClusterCertificate[] = [
  { purpose: "ca", files: { certificate: "/tls/server-ca.crt", key: "/tls/server-ca.key" } },
  { purpose: "cca", commonName: "clients", files: { certificate: "/tls/client-ca.crt", key: "/tls/client-ca.key" } },
  { purpose: "peer-etcd", files: { certificate: "/tls/etcd/peer-ca.crt" } },
  { purpose: "sa", holds: "keys" },
];

let environment: ConformanceEnvironment;
let place: ManagementCluster;
let access: ManagementCluster & Pick<ConformanceEnvironment, "clock" | "random">;
let foreign: { readonly certificate: string; readonly key: string };
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([]);
  foreign = await createCertificateAuthority({ now: environment.clock.now(), algorithm });
});
afterAll(() => environment.stop());
beforeEach(async () => {
  place = await managementCluster(environment);
  access = { ...place, clock: environment.clock, random: environment.random };
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const pairData = () => ({ "tls.crt": base64(foreign.certificate), "tls.key": base64(foreign.key) });
const secret = (name: string) => place.client.get(SecretResource, place.core.key(name));
const ensure = () => ensureCertificates(access, certificates, { owner: place.owner, algorithm, validityDays: 100 });

describe("the certificates of a cluster", () => {
  it("are made once, under the cluster's name, and owned", async () => {
    const pairs = await ensure();
    expect([...pairs.keys()]).toEqual(["ca", "cca", "peer-etcd", "sa"]);
    for (const purpose of pairs.keys()) {
      const stored = await secret(`orchid-${purpose}`);
      expect(stored["type"]).toBe(clusterSecretType);
      expect(stored.metadata).toMatchObject({
        labels: { [Label.clusterName]: "orchid" },
        ownerReferences: [place.owner],
      });
      expect(secretText(secretBytes(stored))).toEqual({
        "tls.crt": pairs.get(purpose)?.certificate,
        "tls.key": pairs.get(purpose)?.key,
      });
    }
    const clients = readCertificate(pairs.get("cca")?.certificate ?? "");
    expect(clients.subject).toBe("CN=clients");
    expect(readCertificate(pairs.get("ca")?.certificate ?? "").subject).toBe("CN=kubernetes");
    expect(clients.validToDate.getTime() - environment.clock.now()).toBe(100 * dayMs);
    expect(pairs.get("sa")?.certificate).toContain("BEGIN PUBLIC KEY");
    expect(await ensure()).toEqual(pairs);
  });

  it("are the same for all who ask at the same time", async () => {
    const [first, ...others] = await Promise.all([ensure(), ensure(), ensure()]);
    for (const pairs of others) expect(pairs).toEqual(first);
    expect(await findCertificates(access, certificates)).toEqual(first);
  });

  it("are taken as they are when a user made them, and stay the user's", async () => {
    await place.core.createSecret("orchid-ca", pairData(), "kubernetes.io/tls");
    const before = await secret("orchid-ca");
    expect((await ensure()).get("ca")).toEqual(foreign);
    await ownCertificates(access, certificates, place.owner);
    expect(await secret("orchid-ca")).toEqual(before);
  });

  it.each([
    [
      "of a type that others write",
      {},
      "Opaque",
      /its type is Opaque; create it with the type cluster.x-k8s.io\/secret/,
    ],
    [
      "without the label of the cluster",
      { [Label.clusterName]: null },
      clusterSecretType,
      /it has no label cluster.x-k8s.io\/cluster-name=orchid; create it/,
    ],
  ])("are not taken from a Secret %s", async (_case, labels, type, message) => {
    await place.core.createSecret("orchid-ca", pairData(), type);
    await place.core.patch(SecretResource, "orchid-ca", { metadata: { labels } });
    const refused = { code: "bootstrap.cluster_secret_unmarked", message: expect.stringMatching(message) as unknown };
    const before = await secret("orchid-ca");
    for (const read of [
      ensure,
      () => findCertificates(access, certificates),
      () => requireCertificates(access, [{ purpose: "ca" }]),
    ]) {
      await expect(read()).rejects.toMatchObject(refused);
    }
    expect(await secret("orchid-ca")).toEqual(before);
  });

  it("get their owner back when they were generated and nobody controls them", async () => {
    await ensure();
    const other = { apiVersion: "v1", kind: "ConfigMap", name: "other", uid: "1", controller: true };
    await place.core.patch(SecretResource, "orchid-ca", { metadata: { ownerReferences: null } });
    await place.core.patch(SecretResource, "orchid-cca", { metadata: { ownerReferences: [other] } });
    const untouched = await secret("orchid-sa");
    await ownCertificates(access, certificates, place.owner);
    expect((await secret("orchid-ca")).metadata.ownerReferences).toEqual([place.owner]);
    expect((await secret("orchid-cca")).metadata.ownerReferences).toEqual([other]);
    expect(await secret("orchid-sa")).toEqual(untouched);
  });

  it("that only users supply must be there, and need no key", async () => {
    const supplied = [{ purpose: "etcd", suppliedFor: "external etcd" }];
    const [missing] = await Promise.allSettled([ensureCertificates(access, supplied, { owner: place.owner })]);
    expect(missing).toMatchObject({
      reason: {
        code: "bootstrap.certificates_missing",
        message: `Secret ${place.core.namespace}/orchid-etcd does not exist; external etcd requires it`,
      },
    });
    await place.core.createSecret("orchid-etcd", { "tls.crt": base64(foreign.certificate) }, "Opaque");
    const { certificate } = foreign;
    expect(await ensureCertificates(access, supplied, { owner: place.owner })).toEqual(
      new Map([["etcd", { certificate }]]),
    );
    expect(await requireCertificates(access, supplied)).toEqual(new Map([["etcd", { certificate }]]));
    const maker = { apiVersion: "v1", kind: "ConfigMap", name: "maker", uid: "1", controller: true };
    await place.core.patch(SecretResource, "orchid-etcd", { metadata: { ownerReferences: [maker] } });
    await expect(findCertificates(access, supplied)).rejects.toThrow(/it is controlled by ConfigMap maker; create it/);
  });

  it("must all be there with their keys for those who join", async () => {
    const wanted = [{ purpose: "ca" }];
    expect(await findCertificates(access, wanted)).toEqual(new Map());
    await expect(requireCertificates(access, wanted)).rejects.toThrow(
      /orchid-ca does not exist: no machine can join the control plane without it\. Restore it from a backup, or create it/,
    );
    await place.core.createSecret("orchid-ca", { "tls.crt": base64(foreign.certificate) });
    await expect(requireCertificates(access, wanted)).rejects.toThrow(
      /orchid-ca has no key tls.key, required to .*; add it$/,
    );
    const withSecret = { ...access, clusterSecret: async () => ({ "tls.crt": foreign.certificate }) };
    expect(await clusterAuthority(withSecret), "one whose key is kept elsewhere").toEqual({
      certificate: foreign.certificate,
    });
    const without = { ...access, clusterSecret: async () => undefined };
    await expect(clusterAuthority(without)).rejects.toThrow(/does not exist yet; the control plane creates it$/);
    const initialized = { ...access.cluster, status: { initialization: { controlPlaneInitialized: true } } };
    const files = { certificate: "/pki/ca.crt", key: "/pki/ca.key" };
    await expect(clusterAuthority({ ...without, cluster: initialized }, { purpose: "ca", files })).rejects.toThrow(
      /orchid-ca does not exist: .* therefore do not join\. Restore it from a backup, or create it with .* from \/pki\/ca\.crt and \/pki\/ca\.key of a control-plane machine; it is never recreated/,
    );
  });

  it.each([
    ["nothing", "", /has no key tls.crt; put the ca certificate there/],
    ["another text", "hello", /tls.crt contains no PEM certificate/],
    [
      "a damaged one",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      /tls.crt is not a PEM certificate/,
    ],
  ])("are refused when the Secret holds %s", async (_, text, message) => {
    await place.core.createSecret("orchid-ca", { "tls.crt": base64(text) });
    const [outcome] = await Promise.allSettled([findCertificates(access, certificates)]);
    expect(outcome).toMatchObject({
      reason: { code: "bootstrap.certificates_corrupt", message: expect.stringMatching(message) as unknown },
    });
  });

  it("become files where their provider wants them, keys for root only", () => {
    const pairs = new Map(["ca", "peer-etcd", "sa"].map((purpose) => [purpose, foreign]));
    const file = (path: string, content: string, permissions: string) => ({
      path,
      owner: "root:root",
      permissions,
      content,
    });
    expect(certificateFiles(certificates, pairs)).toEqual([
      file("/tls/server-ca.crt", foreign.certificate, "0640"),
      file("/tls/server-ca.key", foreign.key, "0600"),
      file("/tls/etcd/peer-ca.crt", foreign.certificate, "0640"),
    ]);
  });
});

describe("the token of a cluster", () => {
  it("is made once, however many ask", async () => {
    expect(await findClusterToken({ ...access, clusterSecret: async () => undefined })).toBeUndefined();
    const tokens = await Promise.all([1, 2, 3, 4].map(() => ensureClusterToken(access, { owner: place.owner })));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).toMatch(/^[0-9a-f]{32}$/);
    const read = async (purpose: string) => (purpose === "token" ? { value: tokens[0] ?? "" } : undefined);
    expect(await findClusterToken({ ...access, clusterSecret: read })).toBe(tokens[0]);
    const stored = await secret("orchid-token");
    expect(stored["type"]).toBe(clusterSecretType);
    expect(stored.metadata.ownerReferences).toEqual([place.owner]);
  });

  it("is never changed when it is there, and missed when it is empty", async () => {
    await place.core.createSecret("orchid-token", { value: base64("by hand") });
    expect(await ensureClusterToken(access, { owner: place.owner })).toBe("by hand");
    await place.core.patch(SecretResource, "orchid-token", { data: { value: "" } });
    await expect(ensureClusterToken(access, { owner: place.owner })).rejects.toThrow(
      expect.objectContaining({ code: "bootstrap.token_missing" }),
    );
  });

  it("is not taken from a Secret that is none of the cluster", async () => {
    await place.core.createSecret("orchid-token", { value: base64("known to others") }, "Opaque");
    await expect(ensureClusterToken(access, { owner: place.owner })).rejects.toThrow(
      expect.objectContaining({ code: "bootstrap.cluster_secret_unmarked" }),
    );
  });
});

it("the administrator's kubeconfig checks the server with one authority and is signed by another", async () => {
  const server = await createCertificateAuthority({ now: environment.clock.now(), algorithm, commonName: "server" });
  const text = await adminKubeconfig({
    clusterName: "orchid",
    endpoint: { host: "2001:db8::1", port: 6443 },
    serverAuthority: server.certificate,
    clientAuthority: foreign,
    clock: environment.clock,
  });
  const { clientCertificate = "", ...config } = parseKubeconfig(text);
  expect(config).toMatchObject({
    server: "https://[2001:db8::1]:6443",
    certificateAuthority: server.certificate,
    clusterName: "orchid",
    userName: "orchid-admin",
    contextName: "orchid-admin@orchid",
  });
  const client = readCertificate(clientCertificate);
  expect(client.subject).toBe("O=system:masters\nCN=kubernetes-admin");
  expect(client.checkIssued(readCertificate(foreign.certificate))).toBe(true);
  expect(client.validToDate.getTime() - environment.clock.now()).toBe(365 * dayMs);
});
