import { beforeAll, expect, it } from "vitest";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, deployment, deployments, widget, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

/** Patches. */
export const patches: Section = (suite) => {
  const map = (name: string): string => `${configMaps(suite().namespace)}/${name}`;
  const create = (name: string, more: object = {}) =>
    suite().api.post(configMaps(suite().namespace), configMap({ name, ...more }, { a: "1", b: "2" }));

  it("E01 and E03 apply JSON patches", async () => {
    const { api } = suite();
    await create("e01");
    const answer = await api.jsonPatch(map("e01"), [
      { op: "add", path: "/data/c", value: "3" },
      { op: "replace", path: "/data/a", value: "9" },
      { op: "remove", path: "/data/b" },
    ]);
    expectCode(answer, 200);
    expect(answer.body.data).toEqual({ a: "9", c: "3" });
    const moved = await api.jsonPatch(map("e01"), [
      { op: "copy", from: "/data/a", path: "/data/d" },
      { op: "move", from: "/data/c", path: "/data/e" },
    ]);
    expectCode(moved, 200);
    expect(moved.body.data).toEqual({ a: "9", d: "9", e: "3" });
  });

  it.each([
    [{ op: "test", path: "/data/a", value: "x" }],
    [{ op: "remove", path: "/data/nope" }],
    [{ op: "add", path: "/nope/deep", value: 1 }],
    [{ op: "frobnicate", path: "/data/a" }],
  ])("E02 refuses the JSON patch %j", async (operation) => {
    const { api } = suite();
    await create("e02");
    const { body: before } = await api.get(map("e02"));
    const patch = [{ op: "add", path: "/data/z", value: "z" }, operation];
    expectStatus(await api.jsonPatch(map("e02"), patch), 422, { reason: "Invalid" });
    expect((await api.get(map("e02"))).body).toEqual(before);
  });

  it("E04 refuses what is not a JSON patch", async () => {
    const { api } = suite();
    await create("e04");
    expectStatus(await api.jsonPatch(map("e04"), { op: "add" }), 400);
    expectStatus(await api.jsonPatch(map("e04"), "[{"), 400);
  });

  it("E05 keeps the name", async () => {
    const { api } = suite();
    await create("e05");
    expectStatus(await api.jsonPatch(map("e05"), [{ op: "replace", path: "/metadata/name", value: "x" }]), 400);
  });

  it("E05 keeps kind and version", async () => {
    const { api, namespace } = suite();
    await create("e05-k");
    for (const change of [{ kind: "Secret" }, { apiVersion: "v2" }]) {
      const answer = await api.mergePatch(map("e05-k"), change);
      expectStatus(answer, 422, { causes: ["FieldValueInvalid patch"] });
      expect(answer.body.details.name).toBeUndefined();
    }
    await api.post(widgets(namespace), widget("e05"));
    const path = `${widgets(namespace)}/e05`;
    expectStatus(await api.mergePatch(path, { kind: "Other" }), 422, { causes: ["FieldValueInvalid kind"] });
    expectStatus(await api.mergePatch(path, { apiVersion: "conf.capstan.test/v1beta1" }), 422, {
      causes: ["FieldValueInvalid apiVersion"],
    });
  });

  it("E06 does not patch what is missing", async () => {
    expectStatus(await suite().api.mergePatch(map("nope"), {}), 404, { reason: "NotFound" });
  });

  it("E07 and E10 merge", async () => {
    const { api } = suite();
    await create("e07");
    const answer = await api.mergePatch(map("e07"), { data: { a: null, c: "3" } });
    expectCode(answer, 200);
    expect(answer.body.data).toEqual({ b: "2", c: "3" });
    const again = await api.mergePatch(map("e07"), { data: { c: "3" } });
    expect(again.body.metadata.resourceVersion).toBe(answer.body.metadata.resourceVersion);
  });

  it("E08 takes a version as lock and keeps the uid", async () => {
    const { api } = suite();
    await create("e08");
    const stale = await api.mergePatch(map("e08"), { metadata: { resourceVersion: "1" }, data: { a: "x" } });
    expectStatus(stale, 409, { reason: "Conflict" });
    const other = await api.mergePatch(map("e08"), { metadata: { uid: "11111111-1111-1111-1111-111111111111" } });
    expectStatus(other, 422, { causes: ["FieldValueInvalid metadata.uid"] });
  });

  it("E09 refuses wrong merge patches", async () => {
    const { api } = suite();
    await create("e09");
    expectStatus(await api.mergePatch(map("e09"), { data: { a: 1 } }), 422, { causes: ["FieldValueInvalid patch"] });
    expectStatus(await api.mergePatch(map("e09"), '"text"'), 400);
    expectStatus(await api.mergePatch(map("e09"), "data:\n  a: b\n"), 400);
  });

  it("E11 puts new finalizers first", async () => {
    const { api } = suite();
    await create("e11", { finalizers: ["conf.capstan.test/c"] });
    const answer = await api.strategicPatch(map("e11"), { metadata: { finalizers: ["conf.capstan.test/d"] } });
    expectCode(answer, 200);
    expect(answer.body.metadata.finalizers).toEqual(["conf.capstan.test/d", "conf.capstan.test/c"]);
    await api.mergePatch(map("e11"), { metadata: { finalizers: null } });
  });

  it("E14 replaces a map", async () => {
    const { api } = suite();
    await create("e14", { annotations: { a: "1", b: "2" } });
    const answer = await api.strategicPatch(map("e14"), {
      metadata: { annotations: { $patch: "replace", only: "one" } },
    });
    expectCode(answer, 200);
    expect(answer.body.metadata.annotations).toEqual({ only: "one" });
  });

  it("E15 knows no strategic patches of custom resources", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("e15"));
    expectStatus(await api.strategicPatch(`${widgets(namespace)}/e15`, {}), 415, { reason: "UnsupportedMediaType" });
  });

  const path = (): string => `${deployments(suite().namespace)}/e12`;
  const patchContainers = (containers: readonly object[]) =>
    suite().api.strategicPatch(path(), { spec: { template: { spec: { containers } } } });

  beforeAll(async () => {
    const { api, namespace } = suite();
    const body = deployment("e12");
    body.spec.template.spec.containers = [
      { name: "c1", image: "i:1", env: [{ name: "A", value: "1" }] },
      { name: "c2", image: "i:2" },
    ];
    expectCode(await api.post(deployments(namespace), body), 201);
  });

  it("E12 merges containers by name", async () => {
    const answer = await patchContainers([
      { name: "c1", env: [{ name: "B", value: "2" }] },
      { name: "c3", image: "i:3" },
    ]);
    expectCode(answer, 200);
    const { containers } = answer.body.spec.template.spec;
    expect(containers.map(({ name }: { name: string }) => name)).toEqual(["c1", "c3", "c2"]);
    expect(containers[0].env.map(({ name }: { name: string }) => name)).toEqual(["B", "A"]);
    expect(containers[0].image).toBe("i:1");
  });

  it("E12b answers 500 to an element without its merge key", async () => {
    expectStatus(await patchContainers([{ image: "img" }]), 500);
  });

  it("E13 removes and replaces elements", async () => {
    const removed = await patchContainers([{ name: "c3", $patch: "delete" }]);
    expectCode(removed, 200);
    const names = removed.body.spec.template.spec.containers.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(["c1", "c2"]);
    const replaced = await patchContainers([{ $patch: "replace" }, { name: "only", image: "i:4" }]);
    expectCode(replaced, 200);
    expect(replaced.body.spec.template.spec.containers).toMatchObject([{ name: "only", image: "i:4" }]);
  });

  it("E16 scales a Deployment", async () => {
    const { api } = suite();
    const scale = await api.get(`${path()}/scale`);
    expectCode(scale, 200);
    expect(scale.body).toMatchObject({ kind: "Scale", spec: { replicas: 1 }, status: { selector: "a=b" } });
    expectCode(await api.mergePatch(`${path()}/scale`, { spec: { replicas: 4 } }), 200);
    expect((await api.get(path())).body.spec.replicas).toBe(4);
  });

  it("E17 keeps a Deployment's selector", async () => {
    const answer = await suite().api.mergePatch(path(), { spec: { selector: { matchLabels: { a: "c" } } } });
    expectStatus(answer, 422, {
      causes: ["FieldValueInvalid spec.selector", "FieldValueInvalid spec.template.metadata.labels"],
    });
  });
};
