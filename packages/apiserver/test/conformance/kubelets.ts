import { beforeAll, expect, it } from "vitest";
import type { Answer, CallOptions } from "./api.ts";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { coreApi, secrets } from "./objects.ts";
import type { Section } from "./suite.ts";

const nodes = `${coreApi}/nodes`;
const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const [own, other] = ["conf-node-a", "conf-node-b"];

/** The kubelet of the first node. */
const kubelet: CallOptions = {
  headers: { "impersonate-user": `system:node:${own}`, "impersonate-group": "system:nodes" },
};

const pod = (name: string, nodeName: string, spec: object = {}) => ({
  metadata: { name },
  spec: { nodeName, containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 0, ...spec },
});

/** What kubelets may do. */
export const kubelets: Section = (suite) => {
  const pods = (): string => `${coreApi}/namespaces/${suite().namespace}/pods`;
  const asKubelet = (options: CallOptions = {}): CallOptions => ({ ...kubelet, ...options });
  const ownUid = async (): Promise<string> => (await suite().api.get(`${nodes}/${own}`)).body.metadata.uid as string;

  beforeAll(async () => {
    const { api, namespace } = suite();
    for (const name of [own, other]) expectCode(await api.post(nodes, { metadata: { name } }), 201);
    expectCode(await api.post(secrets(namespace), { metadata: { name: "used" } }), 201);
    expectCode(await api.post(secrets(namespace), { metadata: { name: "unused" } }), 201);
    const volumes = [{ name: "v", secret: { secretName: "used" } }];
    expectCode(await api.post(pods(), pod("mine", own, { volumes })), 201);
    expectCode(await api.post(pods(), pod("theirs", other)), 201);
  });

  it("L01 lets a kubelet list the Pods of its node only", async () => {
    const { api } = suite();
    const listed = (selector?: string): Promise<Answer> =>
      api.get(`${coreApi}/pods`, asKubelet(selector === undefined ? {} : { query: { fieldSelector: selector } }));
    const answer = await listed(`spec.nodeName=${own}`);
    expectCode(answer, 200);
    expect(answer.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(["mine"]);
    expectStatus(await listed(), 403, { reason: "Forbidden" });
    expectStatus(await listed(`spec.nodeName=${other}`), 403, { reason: "Forbidden" });
    expectStatus(await api.get(`${pods()}/theirs`, asKubelet()), 403, { reason: "Forbidden" });
    await eventually(async () => expectCode(await api.get(`${pods()}/mine`, asKubelet()), 200));
  });

  it("L02 shows a kubelet the Secrets its Pods need", async () => {
    const { api, namespace } = suite();
    await eventually(async () => expectCode(await api.get(`${secrets(namespace)}/used`, asKubelet()), 200));
    expectStatus(await api.get(`${secrets(namespace)}/unused`, asKubelet()), 403, { reason: "Forbidden" });
    expectStatus(await api.get(secrets(namespace), asKubelet()), 403, { reason: "Forbidden" });
    expectStatus(await api.mergePatch(`${secrets(namespace)}/used`, {}, asKubelet()), 403, { reason: "Forbidden" });
  });

  it("L03 lets a kubelet change its own Node, but no taints and no labels of administrators", async () => {
    const { api } = suite();
    const patch = (name: string, body: object) => api.mergePatch(`${nodes}/${name}`, body, asKubelet());
    const label = (key: string) => ({ metadata: { labels: { [key]: "x" } } });
    expectCode(await api.get(`${nodes}/${own}`, asKubelet()), 200);
    expectStatus(await api.get(`${nodes}/${other}`, asKubelet()), 403, { reason: "Forbidden" });
    expectStatus(await api.get(nodes, asKubelet()), 403, { reason: "Forbidden" });
    expectCode(await patch(own, label("example.com/rack")), 200);
    expectCode(await patch(own, label("topology.kubernetes.io/zone")), 200);
    for (const key of ["node-role.kubernetes.io/worker", "node-restriction.kubernetes.io/a", "x.k8s.io/b"]) {
      expectStatus(await patch(own, label(key)), 403, { reason: "Forbidden", message: key });
    }
    expectStatus(await patch(own, { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }), 403, {
      message: "taints",
    });
    expectStatus(await patch(other, label("example.com/rack")), 403, { message: other });
    expectStatus(await api.delete(`${nodes}/${own}`, asKubelet()), 403, { reason: "Forbidden" });
    expectCode(await api.mergePatch(`${nodes}/${own}/status`, { status: { phase: "Running" } }, asKubelet()), 200);
  });

  it("L04 lets a kubelet hold the lease of its node", async () => {
    const { api } = suite();
    const lease = (name: string) => ({ metadata: { name }, spec: { holderIdentity: name } });
    expectCode(await api.post(leases, lease(own), asKubelet()), 201);
    expectCode(await api.get(`${leases}/${own}`, asKubelet()), 200);
    expectStatus(await api.post(leases, lease(other), asKubelet()), 403, { reason: "Forbidden" });
    expectStatus(await api.get(`${leases}/${other}`, asKubelet()), 403, { reason: "Forbidden" });
    const elsewhere = leases.replace("kube-node-lease", "default");
    expectStatus(await api.post(elsewhere, lease(own), asKubelet()), 403, { reason: "Forbidden" });
  });

  it("L05 lets a kubelet create mirror Pods and nothing else", async () => {
    const { api } = suite();
    expectStatus(await api.post(pods(), pod("plain", own), asKubelet()), 403, { message: "mirror" });
    const owner = { apiVersion: "v1", kind: "Node", name: own, uid: await ownUid(), controller: true };
    const mirror = (nodeName: string) => ({
      ...pod(`static-${nodeName}`, nodeName),
      metadata: {
        name: `static-${nodeName}`,
        annotations: { "kubernetes.io/config.mirror": "x" },
        ownerReferences: [owner],
      },
    });
    expectStatus(await api.post(pods(), mirror(other), asKubelet()), 403, { reason: "Forbidden" });
    await eventually(async () => expectCode(await api.post(pods(), mirror(own), asKubelet()), 201));
    const status = { status: { phase: "Running" } };
    expectCode(await api.mergePatch(`${pods()}/static-${own}/status`, status, asKubelet()), 200);
    expectStatus(await api.mergePatch(`${pods()}/theirs/status`, status, asKubelet()), 403, { reason: "Forbidden" });
    expectStatus(await api.delete(`${pods()}/theirs`, asKubelet()), 403, { reason: "Forbidden" });
    expectCode(await api.delete(`${pods()}/static-${own}`, asKubelet({ body: { gracePeriodSeconds: 0 } })), 200);
  });

  it("L06 lets a kubelet evict the Pods of its node only", async () => {
    const { api, namespace } = suite();
    const eviction = (name: string) =>
      api.post(
        `${pods()}/${name}/eviction`,
        { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } },
        asKubelet(),
      );
    expectStatus(await eviction("theirs"), 403, { reason: "Forbidden" });
    expectCode(await eviction("mine"), 201);
    expectCode(await api.post(pods(), pod("mine", own)), 201);
  });

  it("L07 gives a kubelet tokens for the Pods of its node only", async () => {
    const { api, namespace } = suite();
    const token = `${coreApi}/namespaces/${namespace}/serviceaccounts/default/token`;
    const request = async (name?: string) => {
      const uid = name === undefined ? "" : ((await api.get(`${pods()}/${name}`)).body.metadata.uid as string);
      const spec = name === undefined ? {} : { boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid } };
      return await api.post(token, { spec: { audiences: [], ...spec } }, asKubelet());
    };
    await eventually(async () => expectCode(await request("mine"), 201));
    expectStatus(await request(), 403, { message: "not bound to a pod" });
    expectStatus(await request("theirs"), 403, { reason: "Forbidden" });
  });
};
