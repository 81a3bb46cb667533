import type { KubeObject } from "@capstan/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { detachedSignature } from "../../src/controllers/bootstrap-signer.ts";
import { controllers } from "../../src/controllers/controllers.ts";
import { customResources } from "../../src/crd/custom-resources.ts";
import type { ResourceStore } from "../../src/model/types.ts";
import { configMaps, namespaces, refusal, defineThings, thing, things } from "./definitions.ts";
import { becomes, serverWith, type TestServer } from "./server-with.ts";

const secrets = { group: "", plural: "secrets" } as const;
const serviceAccounts = { group: "", plural: "serviceaccounts" } as const;
const events = { group: "", plural: "events" } as const;
const clusterRoles = { group: "rbac.authorization.k8s.io", plural: "clusterroles" } as const;
const pods = { group: "", plural: "pods" } as const;
const budgets = { group: "policy", plural: "poddisruptionbudgets" } as const;
const hour = 3_600_000;

let server: TestServer;

const start =
  (...names: Parameters<typeof controllers>[0] & object) =>
  async () => {
    server = await serverWith(customResources(), ...controllers(names));
  };

afterEach(() => server.stop());

const object = (
  kind: string,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
  namespace = "default",
): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace },
  ...more,
});

const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

interface Conditions {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}

/** A member of `data`. */
const datum = (object: ReturnType<ResourceStore["peek"]>, name: string): string | undefined =>
  (object?.["data"] as Readonly<Record<string, string>> | undefined)?.[name];

describe("namespaces", () => {
  beforeEach(start("namespace"));
  const find = () => server.store.peek(namespaces, { name: "n" });
  const conditions = () => (find()?.["status"] as Conditions | undefined)?.conditions ?? [];

  it("go away with everything in them", async () => {
    await defineThings(server.store);
    await server.store.create(namespaces, namespace("n"));
    await server.store.create(configMaps, object("ConfigMap", "c", {}, "n"));
    await server.store.create(things, { ...thing("t"), metadata: { name: "t", namespace: "n" } });
    await server.store.delete(namespaces, { name: "n" });
    await becomes(server.store, () => find() === undefined);
    expect(server.store.peekAll(things)).toEqual([]);
  });

  it("stay while a finalizer holds something in them, say so, and take nothing new", async () => {
    await server.store.create(namespaces, namespace("n"));
    const held = object("ConfigMap", "c", {}, "n");
    await server.store.create(configMaps, {
      ...held,
      metadata: { ...held.metadata, finalizers: ["test.capstan/hold"] },
    });
    await server.store.delete(namespaces, { name: "n" });
    await becomes(server.store, () => conditions().length === 5);
    expect(conditions().map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered"],
      ["NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions"],
      ["NamespaceDeletionContentFailure", "False", "ContentDeleted"],
      ["NamespaceContentRemaining", "True", "SomeResourcesRemain"],
      ["NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain"],
    ]);
    expect(await refusal(server.store.create(configMaps, object("ConfigMap", "d", {}, "n")))).toMatchObject({
      code: 403,
    });
    const patch = { metadata: { finalizers: null } };
    await server.store.patch(configMaps, { name: "c", namespace: "n" }, { type: "merge", patch });
    await becomes(server.store, () => find() === undefined);
  });
});

describe("what every namespace has", () => {
  beforeEach(start("default-service-account", "root-ca-publisher"));
  const account = (name: string) => server.store.peek(serviceAccounts, { namespace: name, name: "default" });
  const rootCa = (name: string) => server.store.peek(configMaps, { namespace: name, name: "kube-root-ca.crt" });

  it("is made for old and new namespaces, and made again", async () => {
    await server.store.create(namespaces, namespace("n"));
    await becomes(server.store, () =>
      ["n", "default", "kube-system"].every((name) => account(name) !== undefined && rootCa(name) !== undefined),
    );
    expect(rootCa("n")?.["data"]).toEqual({ "ca.crt": server.server.caCertificate });
    const { uid } = account("n")!.metadata;
    await server.store.delete(serviceAccounts, { namespace: "n", name: "default" });
    await server.store.delete(configMaps, { namespace: "n", name: "kube-root-ca.crt" });
    await becomes(server.store, () => account("n") !== undefined && rootCa("n") !== undefined);
    expect(account("n")?.metadata.uid).not.toBe(uid);
  });

  it("is mended when somebody changes it", async () => {
    await becomes(server.store, () => rootCa("default") !== undefined);
    const patch = { data: { "ca.crt": "forged" } };
    await server.store.patch(configMaps, { namespace: "default", name: "kube-root-ca.crt" }, { type: "merge", patch });
    await becomes(server.store, () => datum(rootCa("default"), "ca.crt") === server.server.caCertificate);
  });
});

describe("aggregated ClusterRoles", () => {
  beforeEach(start("cluster-role-aggregation"));

  it("have the rules of the roles they select", async () => {
    const rule = (resource: string) => ({ apiGroups: [""], resources: [resource], verbs: ["get"] });
    const role = (name: string, more: object, labels: Readonly<Record<string, string>> = {}): KubeObject => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name, labels },
      ...more,
    });
    const rules = () => server.store.peek(clusterRoles, { name: "sum" })?.["rules"];
    const selectors = { clusterRoleSelectors: [{ matchLabels: { part: "yes" } }] };
    await server.store.create(clusterRoles, role("sum", { aggregationRule: selectors, rules: [] }));
    await server.store.create(clusterRoles, role("b", { rules: [rule("b")] }, { part: "yes" }));
    await server.store.create(clusterRoles, role("a", { rules: [rule("a"), rule("b")] }, { part: "yes" }));
    await server.store.create(clusterRoles, role("c", { rules: [rule("c")] }));
    await becomes(server.store, () => JSON.stringify(rules()) === JSON.stringify([rule("a"), rule("b")]));
    await server.store.patch(
      clusterRoles,
      { name: "a" },
      { type: "merge", patch: { metadata: { labels: { part: null } } } },
    );
    await becomes(server.store, () => JSON.stringify(rules()) === JSON.stringify([rule("b")]));
  });
});

describe("Events", () => {
  beforeEach(start("event-expiry"));
  const event = (name: string) =>
    object("Event", name, {
      involvedObject: { namespace: "default", name: "x", kind: "Pod" },
      reason: "R",
      message: "m",
    });

  it("go an hour after they were last written", async () => {
    await server.store.create(events, event("quiet"));
    await server.store.create(events, event("busy"));
    await server.clock.advance(hour / 2);
    await server.store.patch(events, { namespace: "default", name: "busy" }, { type: "merge", patch: { count: 2 } });
    await server.clock.advance(hour / 2);
    await becomes(server.store, () => server.store.peekAll(events).length === 1);
    expect(server.store.peekAll(events)[0]?.metadata.name).toBe("busy");
    await server.clock.advance(hour / 2);
    await becomes(server.store, () => server.store.peekAll(events).length === 0);
  });
});

describe("ServiceAccount token Secrets", () => {
  beforeEach(start("token-secrets"));
  const find = () => server.store.peek(secrets, { namespace: "default", name: "s" });

  it("are filled, and deleted with their ServiceAccount", async () => {
    await server.store.create(serviceAccounts, object("ServiceAccount", "robot"));
    const secret = object("Secret", "s", { type: "kubernetes.io/service-account-token" });
    const annotations = { "kubernetes.io/service-account.name": "robot" };
    await server.store.create(secrets, { ...secret, metadata: { ...secret.metadata, annotations } });
    await becomes(server.store, () => (find()?.["data"] as { token?: string } | undefined)?.token !== undefined);
    const data = find()?.["data"] as Readonly<Record<string, string>>;
    const [, claims] = Buffer.from(data["token"]!, "base64").toString().split(".");
    expect(JSON.parse(Buffer.from(claims!, "base64url").toString())).toMatchObject({
      sub: "system:serviceaccount:default:robot",
    });
    expect(Buffer.from(data["namespace"]!, "base64").toString()).toBe("default");
    expect(Buffer.from(data["ca.crt"]!, "base64").toString()).toBe(server.server.caCertificate);
    await server.store.delete(serviceAccounts, { namespace: "default", name: "robot" });
    await becomes(server.store, () => find() === undefined);
  });
});

describe("bootstrap tokens", () => {
  beforeEach(start("bootstrap-token-cleaner", "bootstrap-signer"));
  const kubeconfig = "apiVersion: v1\nkind: Config\n";

  const token = (id: string, more: Readonly<Record<string, string>> = {}): KubeObject =>
    object(
      "Secret",
      `bootstrap-token-${id}`,
      {
        type: "bootstrap.kubernetes.io/token",
        stringData: { "token-id": id, "token-secret": "0123456789abcdef", "usage-bootstrap-signing": "true", ...more },
      },
      "kube-system",
    );
  const info = () => server.store.peek(configMaps, { namespace: "kube-public", name: "cluster-info" });
  const signatures = () =>
    Object.keys(info()?.["data"] ?? {})
      .filter((name) => name.startsWith("jws-"))
      .sort();
  const signedBy = (...ids: readonly string[]) =>
    becomes(server.store, () => signatures().join() === ids.map((id) => `jws-kubeconfig-${id}`).join());

  it("sign cluster-info while they may, and go when they expire", async () => {
    const expiration = new Date(server.clock.now() + hour).toISOString();
    await server.store.create(secrets, token("abcdef", { expiration }));
    await server.store.create(secrets, token("bbbbbb"));
    await server.store.create(secrets, token("cccccc", { "usage-bootstrap-signing": "false" }));
    await server.store.create(configMaps, object("ConfigMap", "cluster-info", { data: { kubeconfig } }, "kube-public"));
    await signedBy("abcdef", "bbbbbb");
    await server.store.delete(secrets, { namespace: "kube-system", name: "bootstrap-token-bbbbbb" });
    await signedBy("abcdef");
    await server.clock.advance(hour);
    await becomes(
      server.store,
      () => server.store.peek(secrets, { namespace: "kube-system", name: "bootstrap-token-abcdef" }) === undefined,
    );
    await signedBy();
    expect(info()?.["data"]).toEqual({ kubeconfig });
  });

  it("sign what the ConfigMap says now", async () => {
    await server.store.create(secrets, token("abcdef"));
    await server.store.create(configMaps, object("ConfigMap", "cluster-info", { data: { kubeconfig } }, "kube-public"));
    await signedBy("abcdef");
    const changed = `${kubeconfig}# changed\n`;
    await server.store.patch(
      configMaps,
      { namespace: "kube-public", name: "cluster-info" },
      { type: "merge", patch: { data: { kubeconfig: changed } } },
    );
    const wanted = detachedSignature(changed, { id: "abcdef", secret: "0123456789abcdef" });
    await becomes(server.store, () => datum(info(), "jws-kubeconfig-abcdef") === wanted);
  });

  it("give a detached JWS", () => {
    const signature = detachedSignature("content", { id: "abcdef", secret: "0123456789abcdef" });
    const [header, payload, mac] = signature.split(".");
    expect(JSON.parse(Buffer.from(header!, "base64url").toString())).toEqual({ alg: "HS256", kid: "abcdef" });
    expect(payload).toBe("");
    expect(mac).toHaveLength(43);
  });
});

describe("PodDisruptionBudgets", () => {
  beforeEach(start("disruption-status"));
  const budget = (spec: object): KubeObject => ({
    ...object("PodDisruptionBudget", "b", { spec }),
    apiVersion: "policy/v1",
  });
  const selector = { matchLabels: { app: "a" } };
  const status = () => server.store.peek(budgets, { namespace: "default", name: "b" })?.["status"];
  const addPod = async (name: string) => {
    const spec = { nodeName: "n", containers: [{ name: "c", image: "i" }] };
    const pod = object("Pod", name, { spec });
    const created = await server.store.create(pods, { ...pod, metadata: { ...pod.metadata, labels: { app: "a" } } });
    const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    await server.store.update(pods, { ...created, status: ready }, { subresource: "status" });
  };
  const hasStatus = (wanted: Readonly<Record<string, number>>) =>
    becomes(server.store, () =>
      Object.entries(wanted).every(
        ([name, value]) => (status() as Record<string, number> | undefined)?.[name] === value,
      ),
    );

  it("count the Pods that are ready", async () => {
    await server.store.create(budgets, budget({ minAvailable: 1, selector }));
    await hasStatus({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1, expectedPods: 0 });
    await addPod("one");
    await addPod("two");
    await hasStatus({ disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 });
    expect(status()).toMatchObject({
      conditions: [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods" }],
    });
    await server.store.delete(pods, { namespace: "default", name: "one" }, { gracePeriodSeconds: 0 });
    await hasStatus({ disruptionsAllowed: 0, currentHealthy: 1 });
    expect(status()).toMatchObject({ conditions: [{ status: "False", reason: "InsufficientPods" }] });
  });

  it("allow nothing for percentages of Pods that no controller counts", async () => {
    await addPod("one");
    await server.store.create(budgets, budget({ maxUnavailable: "50%", selector }));
    await becomes(
      server.store,
      () => (status() as { readonly conditions?: unknown } | undefined)?.conditions !== undefined,
    );
    expect(status()).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: "False", reason: "SyncFailed" }],
    });
  });
});
