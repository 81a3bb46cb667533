import { expect, it } from "vitest";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, coreApi, gadget, gadgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const ownedBy = (name: string, uid: string, more: object = {}) => ({
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, ...more }],
});

/** What controllers do by themselves. */
export const controllers: Section = (suite) => {
  const map = (name: string): string => `${configMaps(suite().namespace)}/${name}`;
  const exists = async (path: string): Promise<void> => expectCode(await suite().api.get(path), 200);
  const isGone = async (path: string): Promise<void> =>
    await eventually(async () => expectCode(await suite().api.get(path), 404));
  const create = async (name: string, metadata: object = {}) => {
    const answer = await suite().api.post(configMaps(suite().namespace), configMap({ name, ...metadata }));
    expectCode(answer, 201);
    return answer.body.metadata.uid as string;
  };
  const remove = (name: string, propagationPolicy: string) =>
    suite().api.delete(map(name), { body: { propagationPolicy } });

  it("K01 furnishes a new namespace", async () => {
    const { api } = suite();
    const answer = await api.post(`${coreApi}/namespaces`, { metadata: { name: "k01" } });
    expectCode(answer, 201);
    expect(answer.body.metadata.labels).toEqual({ "kubernetes.io/metadata.name": "k01" });
    await eventually(async () => {
      await exists(`${coreApi}/namespaces/k01/serviceaccounts/default`);
      const { body } = await api.get(`${configMaps("k01")}/kube-root-ca.crt`);
      expect(body.data["ca.crt"]).toContain("BEGIN CERTIFICATE");
    });
  });

  it("K02 and K09 delete dependents, over several generations", async () => {
    const first = await create("k02");
    const second = await create("k02-a", ownedBy("k02", first));
    await create("k02-b", ownedBy("k02-a", second));
    await remove("k02", "Background");
    await isGone(map("k02-a"));
    await isGone(map("k02-b"));
  });

  it("K03 deletes dependents first", async () => {
    const uid = await create("k03");
    await create("k03-a", ownedBy("k03", uid, { blockOwnerDeletion: true }));
    const answer = await remove("k03", "Foreground");
    expect(answer.body.metadata.finalizers).toEqual(["foregroundDeletion"]);
    await isGone(map("k03-a"));
    await isGone(map("k03"));
  });

  it("K04 waits for dependents that are held", async () => {
    const { api } = suite();
    const uid = await create("k04");
    const held = { ...ownedBy("k04", uid, { blockOwnerDeletion: true }), finalizers: ["conf.capstan.test/hold"] };
    await create("k04-a", held);
    await remove("k04", "Foreground");
    await eventually(async () => {
      expect((await api.get(map("k04-a"))).body.metadata.deletionTimestamp).toBeDefined();
    });
    await exists(map("k04"));
    await api.mergePatch(map("k04-a"), { metadata: { finalizers: null } });
    await isGone(map("k04"));
  });

  it("K05 lets dependents go", async () => {
    const { api } = suite();
    const uid = await create("k05");
    await create("k05-a", ownedBy("k05", uid));
    await remove("k05", "Orphan");
    await isGone(map("k05"));
    expect((await api.get(map("k05-a"))).body.metadata.ownerReferences).toBeUndefined();
  });

  it("K06 deletes what has an unknown owner", async () => {
    await create("k06", ownedBy("never", "11111111-1111-1111-1111-111111111111"));
    await isGone(map("k06"));
  });

  it("K07 keeps what has another owner", async () => {
    const { api } = suite();
    const uid = await create("k07");
    const [present] = ownedBy("k07", uid).ownerReferences;
    const [absent] = ownedBy("never", "11111111-1111-1111-1111-111111111111").ownerReferences;
    await create("k07-a", { ownerReferences: [absent, present] });
    await eventually(async () => {
      expect((await api.get(map("k07-a"))).body.metadata.ownerReferences).toEqual([present]);
    });
  });

  it("K08 follows cluster-scoped owners", async () => {
    const { api } = suite();
    const { body } = await api.post(gadgets, gadget("k08"));
    const { name, uid } = body.metadata;
    await create("k08-a", { ownerReferences: [{ apiVersion: body.apiVersion, kind: body.kind, name, uid }] });
    await api.delete(`${gadgets}/k08`);
    await isGone(map("k08-a"));
  });

  it("K10 and K11 empty a namespace that is deleted", async () => {
    const { api } = suite();
    const path = `${coreApi}/namespaces/k10`;
    await api.post(`${coreApi}/namespaces`, { metadata: { name: "k10" } });
    const finalizers = ["conf.capstan.test/hold"];
    await api.post(configMaps("k10"), configMap({ name: "held", finalizers }));
    await api.post(configMaps("k10"), configMap("free"));
    expectCode(await api.delete(path), 200);
    await isGone(`${configMaps("k10")}/free`);
    const terminating = await api.get(path);
    expect(terminating.body.status.phase).toBe("Terminating");
    for (const query of [{}, { dryRun: "All" }]) {
      expectStatus(await api.post(configMaps("k10"), configMap("late"), { query }), 403, {
        reason: "Forbidden",
        causes: ["NamespaceTerminating metadata.namespace"],
      });
    }
    await api.mergePatch(`${configMaps("k10")}/held`, { metadata: { finalizers: null } });
    await isGone(path);
  });
};
