import { expect, it } from "vitest";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { coreApi } from "./objects.ts";
import type { Section } from "./suite.ts";

const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };

/** What Services and claims are given, and what stays with them. */
export const servicesAndClaims: Section = (suite) => {
  const services = (): string => `${coreApi}/namespaces/${suite().namespace}/services`;
  const claims = (): string => `${coreApi}/namespaces/${suite().namespace}/persistentvolumeclaims`;
  const service = (name: string, spec: object) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  const local = { type: "LoadBalancer", externalTrafficPolicy: "Local" };

  it("a balancer that keeps traffic on a Node gets a port where it is asked for its health, which stays", async () => {
    const { api } = suite();
    const path = `${services()}/checked`;
    const { body } = await api.post(services(), service("checked", local));
    const { healthCheckNodePort, ports } = body.spec;
    expect(healthCheckNodePort).toBeGreaterThanOrEqual(30_000);
    expect(healthCheckNodePort).not.toBe(ports[0].nodePort);
    const forgotten = await api.mergePatch(path, { spec: { healthCheckNodePort: null } });
    expect(forgotten.body.spec.healthCheckNodePort).toBe(healthCheckNodePort);
    // Below those that are given out: no one has it.
    const other = 30_010;
    expectStatus(await api.mergePatch(path, { spec: { healthCheckNodePort: other } }), 422, {
      causes: ["FieldValueForbidden spec.healthCheckNodePort"],
    });
    const taken = service("taken", { type: "NodePort", ports: [{ port: 80, nodePort: healthCheckNodePort }] });
    expectStatus(await api.post(services(), taken), 422, { causes: ["FieldValueInvalid spec.ports[0].nodePort"] });
    expectStatus(await api.post(services(), service("twice", { ...local, healthCheckNodePort })), 500);
    expectStatus(await api.post(services(), service("below", { ...local, healthCheckNodePort: 3_000 })), 500);
    const anywhere = await api.mergePatch(path, { spec: { externalTrafficPolicy: "Cluster" } });
    expect(anywhere.body.spec.healthCheckNodePort).toBeUndefined();
    expectCode(await api.post(services(), service("twice", { ...local, healthCheckNodePort })), 201);
    const again = await api.mergePatch(path, { spec: { externalTrafficPolicy: "Local" } });
    expect(again.body.spec.healthCheckNodePort).toBeGreaterThanOrEqual(30_000);
    expect(again.body.spec.healthCheckNodePort).not.toBe(healthCheckNodePort);
  });

  it("a Service without address and selector has both families of addresses, until somebody wants one", async () => {
    const { api } = suite();
    const { body } = await api.post(services(), service("open", { clusterIP: "None" }));
    expect(body.spec).toMatchObject({ ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" });
    const fewer = await api.mergePatch(`${services()}/open`, { spec: { ipFamilyPolicy: "SingleStack" } });
    expect(fewer.body.spec.ipFamilies).toEqual(["IPv4"]);
    const given = await api.post(services(), service("six", { clusterIP: "None", ipFamilies: ["IPv6"] }));
    expect(given.body.spec).toMatchObject({ ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "RequireDualStack" });
    const selecting = await api.post(services(), service("near", { clusterIP: "None", selector: { a: "b" } }));
    expect(selecting.body.spec).toMatchObject({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });
  });

  it("a claim that a Pod uses, and a volume, are kept as long as they are needed", async () => {
    const { api, namespace } = suite();
    const metadata = { name: `${namespace}-kept` };
    const volumes = `${coreApi}/persistentvolumes`;
    const pods = `${coreApi}/namespaces/${namespace}/pods`;
    const accessModes = ["ReadWriteOnce"];
    const storage = "1Gi";
    const volume = { accessModes, storageClassName: "none", capacity: { storage }, hostPath: { path: "/x" } };
    const created = await api.post(volumes, { metadata, spec: volume });
    expect(created.body.metadata.finalizers).toEqual(["kubernetes.io/pv-protection"]);
    await eventually(async () => {
      await api.delete(`${volumes}/${metadata.name}`);
      expectCode(await api.get(`${volumes}/${metadata.name}`), 404);
    });
    const claim = { accessModes, storageClassName: "other", resources: { requests: { storage } } };
    const own = await api.post(claims(), { metadata: { ...metadata, finalizers: ["a.test/b"] }, spec: claim });
    expect(own.body.metadata.finalizers).toEqual(["a.test/b", "kubernetes.io/pvc-protection"]);
    const path = `${claims()}/${metadata.name}`;
    expectCode(await api.mergePatch(path, { metadata: { finalizers: ["kubernetes.io/pvc-protection"] } }), 200);
    await eventually(async () => {
      expectCode(await api.get(`${coreApi}/namespaces/${namespace}/serviceaccounts/default`), 200);
    });
    const pod = {
      nodeName: "nowhere",
      containers: [{ name: "c", image: "i" }],
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: metadata.name } }],
    };
    expectCode(await api.post(pods, { metadata, spec: pod }), 201);
    const { body: leaving } = await api.delete(path);
    expect(leaving.metadata.deletionTimestamp).toBeDefined();
    expectCode(await api.get(path), 200);
    expectCode(await api.delete(`${pods}/${metadata.name}`, { query: { gracePeriodSeconds: "0" } }), 200);
    await eventually(async () => expectCode(await api.get(path), 404));
  });

  it.each([
    ["dataSource", snapshot, snapshot],
    ["dataSourceRef", snapshot, snapshot],
    ["dataSource", { apiGroup: "a.b", kind: "K", name: "x" }, undefined],
    ["dataSourceRef", { apiGroup: "a.b", kind: "K", name: "x" }, { apiGroup: "a.b", kind: "K", name: "x" }],
    ["dataSource", {}, undefined],
    ["dataSourceRef", { ...snapshot, namespace: "other" }, undefined],
  ])("a claim's %s %o is kept twice, or not at all", async (field, source, kept) => {
    const { api } = suite();
    const metadata = { generateName: "claim-" };
    const resources = { requests: { storage: "1Gi" } };
    const spec = { accessModes: ["ReadWriteOnce"], resources, [field]: source };
    const { body } = await api.post(claims(), { metadata, spec });
    expect([body.spec.dataSource, body.spec.dataSourceRef]).toEqual([kept, kept]);
    const path = `${claims()}/${body.metadata.name}`;
    const forgotten = await api.mergePatch(path, { metadata: { labels: { a: "b" } }, spec: { dataSourceRef: null } });
    expectCode(forgotten, 200);
    expect(forgotten.body.spec.dataSourceRef).toEqual(kept);
  });
};
