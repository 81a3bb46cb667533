import { expect, it } from "vitest";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, coreApi, secrets } from "./objects.ts";
import type { Section } from "./suite.ts";

const condition = (type: string, status: string) => ({ type, status });
const taint = (key: string) => ({ key, effect: "NoSchedule" });

/** Built-in kinds (controllers: controllers.ts). */
export const builtInKinds: Section = (suite) => {
  const inNamespace = (plural: string): string => `${coreApi}/namespaces/${suite().namespace}/${plural}`;
  const container = { name: "c", image: "i" };

  it("K12 keeps the system's namespaces", async () => {
    for (const name of ["default", "kube-system"]) {
      expectStatus(await suite().api.delete(`${coreApi}/namespaces/${name}`), 403, { reason: "Forbidden" });
    }
  });

  it("K12 takes only qualified finalizers of namespaces", async () => {
    const object = { metadata: { name: "k12" }, spec: { finalizers: ["kubernetes", "plain"] } };
    expectStatus(await suite().api.post(`${coreApi}/namespaces`, object), 422, {
      causes: ["FieldValueInvalid spec.finalizers"],
    });
  });

  it("K13 knows Secrets", async () => {
    const { api, namespace } = suite();
    const path = secrets(namespace);
    const merged = await api.post(path, { metadata: { name: "k13" }, data: { a: "YQ==" }, stringData: { b: "b" } });
    expectCode(merged, 201);
    expect(merged.body.data).toEqual({ a: "YQ==", b: "Yg==" });
    expect(merged.body.stringData).toBeUndefined();
    expect(merged.body.type).toBe("Opaque");
    expectStatus(await api.post(path, { metadata: { name: "k13b" }, data: { a: "!!" } }), 400);
    for (const stringData of [{ a: 1 }, { a: ["b"] }, "a"]) {
      expectStatus(await api.post(path, { metadata: { name: "k13s" }, stringData }), 400);
    }
    expectStatus(await api.mergePatch(`${path}/k13`, { type: "other" }), 422, {
      someCauses: ["FieldValueInvalid type"],
    });
    expectCode(await api.mergePatch(`${path}/k13`, { immutable: true }), 200);
    expectStatus(await api.mergePatch(`${path}/k13`, { data: { a: "Yg==" } }), 422, {
      someCauses: ["FieldValueForbidden data"],
    });
    expectStatus(await api.post(path, { metadata: { name: "k13t" }, type: "kubernetes.io/tls" }), 422, {
      causes: ["FieldValueRequired data[tls.crt]", "FieldValueRequired data[tls.key]"],
    });
  });

  it("K14 checks the keys of ConfigMaps", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.post(configMaps(namespace), configMap("k14", { "a b": "1" })), 422, {
      causes: ["FieldValueInvalid data[a b]"],
    });
    const both = { ...configMap("k14", { a: "1" }), binaryData: { a: "YQ==" } };
    expectStatus(await api.post(configMaps(namespace), both), 422, { reason: "Invalid" });
  });

  it("K15 knows Services", async () => {
    const { api } = suite();
    const create = (name: string, spec: object) => api.post(inNamespace("services"), { metadata: { name }, spec });
    const plain = await create("k15", { ports: [{ port: 80 }] });
    expectCode(plain, 201);
    expect(plain.body.spec.clusterIP).toMatch(/^10\./);
    expect(plain.body.spec.ports[0]).toMatchObject({ port: 80, targetPort: 80, protocol: "TCP" });
    const balanced = await create("k15-lb", { type: "LoadBalancer", ports: [{ port: 80 }] });
    expectCode(balanced, 201);
    expect(balanced.body.spec.ports[0].nodePort).toBeGreaterThanOrEqual(30_000);
    const headless = await create("k15-h", { clusterIP: "None", ports: [{ port: 80 }] });
    expect(headless.body.spec.clusterIP).toBe("None");
    expectStatus(await create("k15-n", {}), 422, { someCauses: ["FieldValueRequired spec.ports"] });
  });

  it("K16 and K17 know Nodes", async () => {
    const { api } = suite();
    const path = `${coreApi}/nodes/k16`;
    expectCode(await api.post(`${coreApi}/nodes`, { metadata: { name: "k16" } }), 201);
    expectCode(await api.mergePatch(path, { spec: { providerID: "sim://1" } }), 200);
    expectStatus(await api.mergePatch(path, { spec: { providerID: "sim://2" } }), 422, {
      someCauses: ["FieldValueForbidden spec.providerID"],
    });
    await api.strategicPatch(`${path}/status`, { status: { conditions: [condition("Ready", "False")] } });
    const merged = await api.strategicPatch(`${path}/status`, {
      status: { conditions: [condition("Ready", "True"), condition("Other", "True")] },
    });
    expectCode(merged, 200);
    const conditions = merged.body.status.conditions as { type: string; status: string }[];
    expect(conditions.map(({ type, status }) => `${type}=${status}`).sort()).toEqual(["Other=True", "Ready=True"]);
    expectStatus(await api.mergePatch(path, { spec: { taints: [taint("a"), taint("a")] } }), 422, {
      causes: ["FieldValueDuplicate metadata.taints[1]"],
    });
    await api.strategicPatch(path, { spec: { taints: [taint("a")] } });
    const tainted = await api.strategicPatch(path, { spec: { taints: [taint("b")] } });
    expect(tainted.body.spec.taints).toEqual([taint("b")]);
    await api.delete(path);
  });

  it("K18 and K19 know Pods", async () => {
    const { api } = suite();
    const pods = inNamespace("pods");
    const create = (name: string, nodeName?: string) =>
      api.post(pods, {
        metadata: { name },
        spec: { containers: [container], ...(nodeName === undefined ? {} : { nodeName }) },
      });
    expectCode(await create("k18", "n1"), 201);
    const deleted = await api.delete(`${pods}/k18`);
    expectCode(deleted, 200);
    expect(deleted.body.metadata.deletionGracePeriodSeconds).toBe(30);
    expectCode(await api.get(`${pods}/k18`), 200);
    expectStatus(await api.mergePatch(`${pods}/k18`, { spec: { nodeName: "n2" } }), 422, {
      someCauses: ["FieldValueForbidden spec"],
    });
    const gone = await api.delete(`${pods}/k18`, { body: { gracePeriodSeconds: 0 } });
    expectCode(gone, 200);
    expect(gone.body).toMatchObject({ kind: "Pod", metadata: { name: "k18" } });
    expectCode(await api.get(`${pods}/k18`), 404);
    expectCode(await create("k18-unscheduled"), 201);
    expectCode(await api.delete(`${pods}/k18-unscheduled`), 200);
    expectCode(await api.get(`${pods}/k18-unscheduled`), 404);
  });

  it("K20 evicts as disruption budgets allow", async () => {
    const { api, namespace } = suite();
    const pods = inNamespace("pods");
    for (const name of ["k20-a", "k20-b"]) {
      await api.post(pods, {
        metadata: { name, labels: { app: "k20" } },
        spec: { containers: [container], nodeName: "n" },
      });
      const conditions = [{ type: "Ready", status: "True" }];
      await api.mergePatch(`${pods}/${name}/status`, { status: { phase: "Running", conditions } });
    }
    const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
    const spec = { minAvailable: 1, selector: { matchLabels: { app: "k20" } } };
    expectCode(await api.post(budgets, { metadata: { name: "k20" }, spec }), 201);
    await eventually(async () => {
      expect((await api.get(`${budgets}/k20`)).body.status?.disruptionsAllowed).toBe(1);
    });
    const evict = (name: string) =>
      api.post(`${pods}/${name}/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } });
    expectCode(await evict("k20-a"), 201);
    expectStatus(await evict("k20-b"), 429, { reason: "TooManyRequests" });
    expectCode(await evict("k20-missing"), 404);
  });

  it("K21 knows Leases", async () => {
    const { api, namespace } = suite();
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const spec = { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.123456Z" };
    const answer = await api.post(leases, { metadata: { name: "k21" }, spec });
    expectCode(answer, 201);
    expect(answer.body.spec.renewTime).toBe(spec.renewTime);
    const zero = { metadata: { name: "k21-zero" }, spec: { ...spec, leaseDurationSeconds: 0 } };
    expectStatus(await api.post(leases, zero), 422, { causes: ["FieldValueInvalid spec.leaseDurationSeconds"] });
  });

  it("K22 to K24 know Events of both groups", async () => {
    const { api, namespace } = suite();
    const events = inNamespace("events");
    const about = { kind: "ConfigMap", namespace, name: "x" };
    const event = {
      metadata: { name: "k22" },
      involvedObject: about,
      reason: "R",
      message: "M",
      count: 2,
      type: "Normal",
    };
    expectCode(await api.post(events, event), 201);
    const other = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const converted = await api.get(`${other}/k22`);
    expectCode(converted, 200);
    expect(converted.body).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      regarding: { name: "x" },
      note: "M",
      deprecatedCount: 2,
    });
    const elsewhere = { ...event, metadata: { name: "k23" }, involvedObject: { ...about, namespace: "other" } };
    expectStatus(await api.post(events, elsewhere), 422, {
      someCauses: ["FieldValueInvalid involvedObject.namespace"],
    });
    const timeless = { metadata: { name: "k24" }, regarding: about, reason: "R", action: "A", type: "Normal" };
    expectStatus(await api.post(other, { ...timeless, reportingController: "c.d/e", reportingInstance: "i" }), 422, {
      someCauses: ["FieldValueRequired eventTime"],
    });
  });
};
