import { beforeAll, expect, it } from "vitest";
import type { Answer } from "./api.ts";
import { expectCode, expectStatus } from "./expectations.ts";
import {
  configMap,
  configMaps,
  coreApi,
  gadget,
  gadgets,
  partial,
  partialList,
  table,
  widget,
  widgets,
} from "./objects.ts";
import type { Section } from "./suite.ts";

const namesOf = (answer: Answer): readonly string[] => {
  expectCode(answer, 200);
  return answer.body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
};

/** Lists, selectors, tables. */
export const lists: Section = (suite) => {
  const list = (query: Readonly<Record<string, string | number>>) =>
    suite().api.get(widgets(suite().namespace), { query });
  let before = "";

  beforeAll(async () => {
    const { api, namespace } = suite();
    const sizes = ["S", "S", "M", "M", "L", "L", "L"] as const;
    for (const [index, size] of sizes.entries()) {
      const labels = { n: String(index), ...(index < 3 ? { par: index % 2 === 0 ? "even" : "odd" } : {}) };
      expectCode(
        await api.post(widgets(namespace), widget({ name: `c${index}`, labels }, { size, host: `h${index}` })),
        201,
      );
    }
    before = (await api.get(widgets(namespace))).body.metadata.resourceVersion;
  });

  it("C01 pages", async () => {
    const first = await list({ limit: 3 });
    expect(namesOf(first)).toEqual(["c0", "c1", "c2"]);
    expect(first.body.metadata.remainingItemCount).toBe(4);
    const second = await list({ limit: 3, continue: first.body.metadata.continue });
    expect(namesOf(second)).toEqual(["c3", "c4", "c5"]);
    expect(second.body.metadata.remainingItemCount).toBe(1);
    const third = await list({ limit: 3, continue: second.body.metadata.continue });
    expect(namesOf(third)).toEqual(["c6"]);
    expect(third.body.metadata.continue).toBe("");
    expect(third.body.metadata.remainingItemCount).toBeUndefined();
    for (const page of [second, third]) {
      expect(page.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    }
  });

  it("C01 keeps to the state of the first page", async () => {
    const { api, namespace } = suite();
    const first = await list({ limit: 6 });
    await api.post(widgets(namespace), widget("c9"));
    await api.mergePatch(`${widgets(namespace)}/c6`, { metadata: { labels: { later: "yes" } } });
    const second = await list({ limit: 6, continue: first.body.metadata.continue });
    expect(namesOf(second)).toEqual(["c6"]);
    expect(second.body.items[0].metadata.labels.later).toBeUndefined();
    await api.delete(`${widgets(namespace)}/c9`);
  });

  it("C02 refuses bad continue tokens", async () => {
    expectStatus(await list({ continue: "garbage" }), 400, { reason: "BadRequest" });
    const { body } = await list({ limit: 1 });
    expectStatus(await list({ continue: body.metadata.continue, resourceVersion: 5 }), 400, { reason: "BadRequest" });
  });

  it("C03 and C04 list an old state exactly, or one that is not older", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("c03"));
    await api.delete(`${widgets(namespace)}/c0`);
    const old = await list({ resourceVersion: before, resourceVersionMatch: "Exact" });
    expect(namesOf(old)).toEqual(["c0", "c1", "c2", "c3", "c4", "c5", "c6"]);
    expect(old.body.metadata.resourceVersion).toBe(before);
    const newest = await list({ resourceVersion: before, resourceVersionMatch: "NotOlderThan" });
    expect(namesOf(newest)).toEqual(["c03", "c1", "c2", "c3", "c4", "c5", "c6"]);
    await api.delete(`${widgets(namespace)}/c03`);
    await api.post(
      widgets(namespace),
      widget({ name: "c0", labels: { n: "0", par: "even" } }, { size: "S", host: "h0" }),
    );
  });

  it("C05 checks resourceVersionMatch", async () => {
    const { body } = await list({ limit: 1 });
    const refused = [
      await list({ resourceVersionMatch: "Exact" }),
      await list({ resourceVersionMatch: "Exact", resourceVersion: 0 }),
      await list({ resourceVersionMatch: "Foo", resourceVersion: 1 }),
      await list({ resourceVersionMatch: "NotOlderThan", continue: body.metadata.continue }),
    ];
    for (const answer of refused) {
      expect(answer.code).toBe(422);
      expect(answer.body.details.causes[0].field).toBe("resourceVersionMatch");
    }
  });

  it("C06 refuses a future version", async () => {
    const { api, namespace } = suite();
    for (const path of [widgets(namespace), `${widgets(namespace)}/c1`]) {
      const answer = await api.get(path, { query: { resourceVersion: "99999999" } });
      expectStatus(answer, 504, { reason: "Timeout", causes: ["ResourceVersionTooLarge"] });
      expect(answer.headers["retry-after"]).toBe("1");
    }
  });

  it("C07 refuses numbers that are none", async () => {
    expectStatus(await list({ resourceVersion: "abc" }), 400);
    expectStatus(await list({ limit: "abc" }), 400);
  });

  it.each([
    ["par=even", ["c0", "c2"]],
    ["par==even", ["c0", "c2"]],
    ["par!=even", ["c1", "c3", "c4", "c5", "c6"]],
    ["par in (even,odd)", ["c0", "c1", "c2"]],
    ["par notin (even)", ["c1", "c3", "c4", "c5", "c6"]],
    ["par", ["c0", "c1", "c2"]],
    ["!par", ["c3", "c4", "c5", "c6"]],
    ["par,n in (1, 2)", ["c1", "c2"]],
    ["n>4", ["c5", "c6"]],
    ["", ["c0", "c1", "c2", "c3", "c4", "c5", "c6"]],
  ])("C08 selects by labels: %s", async (labelSelector, expected) => {
    expect(namesOf(await list({ labelSelector }))).toEqual(expected);
  });

  it.each(["a b", "par in odd", "=x"])("C09 refuses the label selector %s", async (labelSelector) => {
    expectStatus(await list({ labelSelector }), 400, { reason: "BadRequest" });
  });

  it.each([
    ["metadata.name=c1", ["c1"]],
    ["metadata.name!=c1", ["c0", "c2", "c3", "c4", "c5", "c6"]],
    ["spec.size=S", ["c0", "c1"]],
    ["spec.size!=S", ["c2", "c3", "c4", "c5", "c6"]],
    ["spec.size=S,metadata.name=c1", ["c1"]],
  ])("C10 and C11 select by fields: %s", async (fieldSelector, expected) => {
    expect(namesOf(await list({ fieldSelector }))).toEqual(expected);
  });

  it("C10 selects by namespace", async () => {
    const { api, namespace } = suite();
    const query = { fieldSelector: `metadata.namespace=${namespace},metadata.name=c1` };
    expect(namesOf(await api.get(`/apis/conf.capstan.test/v1/widgets`, { query }))).toEqual(["c1"]);
  });

  it.each(["spec.replicas=1", "metadata.uid=1", "bad"])("C12 refuses the field selector %s", async (fieldSelector) => {
    expectStatus(await list({ fieldSelector }), 400, { reason: "BadRequest" });
  });

  it("C22 answers tables", async () => {
    const { api, namespace } = suite();
    const answer = await api.get(widgets(namespace), { accept: table });
    expectCode(answer, 200);
    const columns = answer.body.columnDefinitions.map(({ name, priority }: { name: string; priority: number }) => [
      name,
      priority,
    ]);
    expect(columns).toEqual([
      ["Name", 0],
      ["Size", 0],
      ["Replicas", 0],
      ["Ready", 0],
      ["Wide", 1],
      ["Age", 0],
    ]);
    expect(answer.body.rows[1].cells.slice(0, 5)).toEqual(["c1", "S", 1, null, "h1"]);
    expect(answer.body.rows[1].object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "c1" } });
    const one = await api.get(`${widgets(namespace)}/c1`, { accept: table, query: { includeObject: "None" } });
    expect(one.body.rows).toHaveLength(1);
    expect(one.body.rows[0].object).toBeNull();
    const whole = await api.get(`${widgets(namespace)}/c1`, { accept: table, query: { includeObject: "Object" } });
    expect(whole.body.rows[0].object).toMatchObject({ kind: "Widget", spec: { size: "S" } });
  });

  it("C23 refuses an unknown includeObject", async () => {
    const { api, namespace } = suite();
    const answer = await api.get(widgets(namespace), { accept: table, query: { includeObject: "Foo" } });
    expectStatus(answer, 400);
  });

  it("C24 answers metadata only", async () => {
    const { api, namespace } = suite();
    const many = await api.get(widgets(namespace), { accept: partialList });
    expectCode(many, 200);
    expect(many.body.kind).toBe("PartialObjectMetadataList");
    expect(many.body.items[0]).toMatchObject({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" });
    expect(many.body.items[0].spec).toBeUndefined();
    const one = await api.get(`${widgets(namespace)}/c1`, { accept: partial });
    expect(one.body).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "c1" } });
  });

  it("C25 shows name and age without columns", async () => {
    const { api } = suite();
    await api.post(gadgets, gadget("c25"));
    const { body } = await api.get(gadgets, { accept: table });
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Age"]);
  });

  it("C26 answers failures as Status, whatever was asked for", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.get(`${widgets(namespace)}/nope`, { accept: table }), 404, { reason: "NotFound" });
  });

  it("C28 orders by namespace and name", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("zz"));
    await api.post(configMaps(namespace), configMap("aa"));
    const all = (await api.get(`${coreApi}/configmaps`)).body.items.map(
      ({ metadata }: { metadata: { namespace: string; name: string } }) => `${metadata.namespace}/${metadata.name}`,
    );
    expect(all).toEqual(all.toSorted());
    const first = await api.get(`${coreApi}/configmaps`, { query: { limit: 1 } });
    expect(`${first.body.items[0].metadata.namespace}/${first.body.items[0].metadata.name}`).toBe(all[0]);
  });
};
