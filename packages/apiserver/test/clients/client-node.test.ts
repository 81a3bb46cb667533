import {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  type KubernetesObject,
  makeInformer,
  PatchStrategy,
  PolicyV1Api,
  setHeaderOptions,
  V1MicroTime,
  type V1ConfigMap,
  VersionApi,
  Watch,
} from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../../src/index.ts";
import { widgetCrd } from "../conformance/crds.ts";
import { eventually } from "../conformance/expectations.ts";
import { startServer } from "../embedded-server.ts";

interface Widget extends KubernetesObject {
  spec?: { size?: string; replicas?: number };
  status?: { phase?: string };
}

const [namespace, group, version, plural] = ["default", "conf.capstan.test", "v1", "widgets"];
const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);

/** The common JavaScript client, as other programs use it. */
describe("@kubernetes/client-node", () => {
  let server: ApiServer;
  const config = new KubeConfig();
  let core: CoreV1Api;
  let custom: CustomObjectsApi;
  let objects: KubernetesObjectApi;

  beforeAll(async () => {
    server = await startServer();
    config.loadFromString(await server.adminKubeconfig());
    core = config.makeApiClient(CoreV1Api);
    custom = config.makeApiClient(CustomObjectsApi);
    objects = KubernetesObjectApi.makeApiClient(config);
  });

  afterAll(async () => {
    await server.stop();
  });

  it("creates, reads, patches, lists and deletes", async () => {
    const metadata = { name: "a", labels: { x: "y" } };
    await core.createNamespacedConfigMap({ namespace, body: { metadata, data: { k: "1" } } });
    const read = await core.readNamespacedConfigMap({ namespace, name: "a" });
    expect(read.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: "a",
      body: Object.assign(read, { data: { k: "2" } }),
    });
    expect(replaced.data).toEqual({ k: "2" });
    const json = [{ op: "add", path: "/data/l", value: "3" }];
    expect((await core.patchNamespacedConfigMap({ namespace, name: "a", body: json })).data).toEqual({
      k: "2",
      l: "3",
    });
    const patched = await core.patchNamespacedConfigMap({ namespace, name: "a", body: { data: { l: null } } }, merge);
    expect(patched.data).toEqual({ k: "2" });
    const list = await core.listNamespacedConfigMap({ namespace, labelSelector: "x=y" });
    expect(list.items.map((item) => item.metadata?.name)).toEqual(["a"]);
    await core.deleteNamespacedConfigMap({ namespace, name: "a" });
    const missing = core.readNamespacedConfigMap({ namespace, name: "a" });
    await expect(missing).rejects.toBeInstanceOf(ApiException);
    await expect(missing).rejects.toMatchObject({ code: 404, body: expect.stringContaining('"reason":"NotFound"') });
  });

  it("tells conflicts and refusals apart", async () => {
    const body = { metadata: { name: "stale" } };
    const first = await core.createNamespacedSecret({ namespace, body });
    await core.replaceNamespacedSecret({
      namespace,
      name: "stale",
      body: { metadata: first.metadata ?? {}, stringData: { a: "b" } },
    });
    await expect(core.replaceNamespacedSecret({ namespace, name: "stale", body: first })).rejects.toMatchObject({
      code: 409,
    });
    await expect(core.createNamespacedSecret({ namespace, body })).rejects.toMatchObject({ code: 409 });
    const bad = core.createNamespacedSecret({ namespace, body: { metadata: { name: "Bad" } } });
    await expect(bad).rejects.toMatchObject({ code: 422 });
    await core.deleteCollectionNamespacedSecret({ namespace, fieldSelector: "metadata.name=stale" });
    await expect(core.readNamespacedSecret({ namespace, name: "stale" })).rejects.toMatchObject({ code: 404 });
  });

  it("pages through lists", async () => {
    for (const name of ["p1", "p2", "p3"]) {
      await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name, labels: { paged: "" } } } });
    }
    const labelSelector = "paged";
    const first = await core.listNamespacedServiceAccount({ namespace, labelSelector, limit: 2 });
    const next = first.metadata?._continue ?? "";
    const rest = await core.listNamespacedServiceAccount({ namespace, labelSelector, limit: 2, _continue: next });
    expect([...first.items, ...rest.items].map(({ metadata }) => metadata?.name)).toEqual(["p1", "p2", "p3"]);
    expect(rest.metadata?._continue ?? "").toBe("");
  });

  it("keeps microseconds of leases", async () => {
    const coordination = config.makeApiClient(CoordinationV1Api);
    const renewTime = new V1MicroTime("2026-01-01T00:00:00.123Z");
    const body = { metadata: { name: "lock" }, spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime } };
    await coordination.createNamespacedLease({ namespace, body });
    const lease = await coordination.readNamespacedLease({ namespace, name: "lock" });
    const leases = { group: "coordination.k8s.io", version: "v1", namespace, plural: "leases", name: "lock" };
    const raw = (await custom.getNamespacedCustomObject(leases)) as { spec: { renewTime: string } };
    expect(raw.spec.renewTime).toBe("2026-01-01T00:00:00.123000Z");
    const taken = Object.assign(lease, { spec: Object.assign(lease.spec ?? {}, { holderIdentity: "you" }) });
    expect(
      (await coordination.replaceNamespacedLease({ namespace, name: "lock", body: taken })).spec?.holderIdentity,
    ).toBe("you");
  });

  it("scales, evicts, asks for tokens and rights", async () => {
    const apps = config.makeApiClient(AppsV1Api);
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { selector: { matchLabels: labels }, template };
    await apps.createNamespacedDeployment({ namespace, body: { metadata: { name: "web" }, spec } });
    await apps.patchNamespacedDeploymentScale({ namespace, name: "web", body: { spec: { replicas: 4 } } }, merge);
    expect((await apps.readNamespacedDeploymentScale({ namespace, name: "web" })).spec?.replicas).toBe(4);
    const status = { status: { replicas: 4 } };
    const changed = await apps.patchNamespacedDeploymentStatus({ namespace, name: "web", body: status }, merge);
    expect(changed.status?.replicas).toBe(4);
    await core.createNamespacedPod({ namespace, body: { metadata: { name: "one" }, spec: template.spec } });
    await core.createNamespacedPodEviction({ namespace, name: "one", body: { metadata: { name: "one" } } });
    await expect(core.readNamespacedPod({ namespace, name: "one" })).rejects.toMatchObject({ code: 404 });
    const budgets = config.makeApiClient(PolicyV1Api);
    expect((await budgets.listNamespacedPodDisruptionBudget({ namespace })).items).toEqual([]);
    const request = { spec: { audiences: ["api"] } };
    const token = await core.createNamespacedServiceAccountToken({ namespace, name: "p1", body: request });
    expect(token.status?.token?.split(".")).toHaveLength(3);
    const reviews = config.makeApiClient(AuthorizationV1Api);
    const resourceAttributes = { verb: "get", resource: "pods" };
    const review = await reviews.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } });
    expect(review.status?.allowed).toBe(true);
    expect((await config.makeApiClient(VersionApi).getCode()).major).toBe("1");
  });

  it("works with custom objects", async () => {
    const definitions = { group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions" };
    // The typed client would lose the schema's extensions.
    await custom.createClusterCustomObject({ ...definitions, body: widgetCrd });
    await eventually(async () => void (await custom.listNamespacedCustomObject({ group, version, namespace, plural })));
    const at = { group, version, namespace, plural, name: "w" };
    const body = { apiVersion: `${group}/${version}`, kind: "Widget", metadata: { name: "w" }, spec: { size: "S" } };
    const made = (await custom.createNamespacedCustomObject({ ...at, body })) as Widget;
    expect(made.spec).toMatchObject({ size: "S", replicas: 1 });
    const changed = (await custom.patchNamespacedCustomObject(
      { ...at, body: { spec: { size: "L" } } },
      merge,
    )) as Widget;
    expect(changed.spec?.size).toBe("L");
    await custom.patchNamespacedCustomObjectStatus({ ...at, body: { status: { phase: "Up" } } }, merge);
    await custom.patchNamespacedCustomObjectScale({ ...at, body: { spec: { replicas: 5 } } }, merge);
    const read = (await custom.getNamespacedCustomObject(at)) as Widget;
    expect([read.spec?.replicas, read.status?.phase]).toEqual([5, "Up"]);
    const wrong = custom.patchNamespacedCustomObject({ ...at, body: { spec: { size: "X" } } }, merge);
    await expect(wrong).rejects.toMatchObject({ code: 422 });
    await custom.deleteNamespacedCustomObject(at);
    await expect(custom.getNamespacedCustomObject(at)).rejects.toMatchObject({ code: 404 });
  });

  it("handles objects of any kind", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "any", namespace }, data: { k: "1" } };
    await objects.create(object);
    const more = { ...object, data: { l: "2" } };
    const applied = await objects.patch(more, undefined, undefined, "smoke", true, PatchStrategy.ServerSideApply);
    expect(applied.data).toEqual({ k: "1", l: "2" });
    const widget = {
      apiVersion: `${group}/${version}`,
      kind: "Widget",
      metadata: { name: "any", namespace },
      spec: { size: "M" },
    };
    await objects.create(widget);
    expect((await objects.read(widget)).metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect((await objects.list("v1", "ConfigMap", namespace)).items.map(({ metadata }) => metadata?.name)).toContain(
      "any",
    );
    await objects.delete(widget, undefined, undefined, undefined, undefined, "Foreground");
    await eventually(async () => expect(objects.read(widget)).rejects.toMatchObject({ code: 404 }));
  });

  it("watches with bookmarks from a version on", async () => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace });
    const seen: string[] = [];
    const done = Promise.withResolvers<void>();
    const query = { resourceVersion: metadata?.resourceVersion ?? "", timeoutSeconds: 20 };
    const watch = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      query,
      (phase, object: V1ConfigMap) => {
        seen.push(`${phase} ${object.metadata?.name}`);
        if (phase === "DELETED") done.resolve();
      },
      () => done.resolve(),
    );
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "seen" } } });
    await core.patchNamespacedConfigMap({ namespace, name: "seen", body: { data: { a: "b" } } }, merge);
    await core.deleteNamespacedConfigMap({ namespace, name: "seen" });
    await done.promise;
    watch.abort();
    expect(seen).toEqual(["ADDED seen", "MODIFIED seen", "DELETED seen"]);
  });

  it("follows changes with an informer", async () => {
    const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/secrets`, () =>
      core.listNamespacedSecret({ namespace }),
    );
    const seen: string[] = [];
    const gone = Promise.withResolvers<void>();
    for (const verb of ["add", "update", "delete"] as const) {
      informer.on(verb, (object) => {
        seen.push(`${verb} ${object.metadata?.name}`);
        if (verb === "delete") gone.resolve();
      });
    }
    await informer.start();
    const secret = await core.createNamespacedSecret({ namespace, body: { metadata: { name: "s" } } });
    await core.replaceNamespacedSecret({
      namespace,
      name: "s",
      body: Object.assign(secret, { stringData: { a: "b" } }),
    });
    await core.deleteNamespacedSecret({ namespace, name: "s" });
    await gone.promise;
    await informer.stop();
    expect(seen.filter((one) => one.endsWith(" s"))).toEqual(["add s", "update s", "delete s"]);
  });
});
