import { expect, it } from "vitest";
import { expectCode, expectStatus } from "./expectations.ts";
import { coreApi } from "./objects.ts";
import type { Section } from "./suite.ts";

const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };

/** L, services: what Services and claims are given, and what stays with them. */
export const sectionLServices: Section = (suite) => {
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
    // Below those that are given out: nobody has it.
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
