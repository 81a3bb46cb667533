import { expect, it } from "vitest";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, gadget, gadgets, group, widget, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

/** Deleting, finalizers, generations and subresources. */
export const deleteAndSubresources: Section = (suite) => {
  it("B28 deletes", async () => {
    const { api, namespace } = suite();
    const { body } = await api.post(configMaps(namespace), configMap("b28"));
    const answer = await api.delete(`${configMaps(namespace)}/b28`);
    expectCode(answer, 200);
    expect(answer.body).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "b28", kind: "configmaps", uid: body.metadata.uid },
    });
  });

  it("B29 does not delete what is missing", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.delete(`${configMaps(namespace)}/nope`), 404, { reason: "NotFound" });
  });

  it("B30 checks preconditions", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b30"));
    for (const preconditions of [{ uid: "11111111-1111-1111-1111-111111111111" }, { resourceVersion: "1" }]) {
      const answer = await api.delete(`${configMaps(namespace)}/b30`, { body: { preconditions } });
      expectStatus(answer, 409, { reason: "Conflict" });
    }
  });

  it("B31 checks the propagation policy", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b31"));
    const both = { orphanDependents: true, propagationPolicy: "Foreground" };
    expectStatus(await api.delete(`${configMaps(namespace)}/b31`, { body: both }), 422, {
      causes: ["FieldValueInvalid propagationPolicy"],
    });
    expectStatus(await api.delete(`${configMaps(namespace)}/b31`, { body: { propagationPolicy: "Foo" } }), 422, {
      causes: ["FieldValueNotSupported propagationPolicy"],
    });
  });

  it("B32 deletes nothing in a dry run", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b32"));
    expectCode(await api.delete(`${configMaps(namespace)}/b32`, { query: { dryRun: "All" } }), 200);
    expectCode(await api.get(`${configMaps(namespace)}/b32`), 200);
  });

  it("B33 to B36 hold an object by its finalizers", async () => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/b33`;
    const finalizers = ["conf.capstan.test/a", "conf.capstan.test/b"];
    await api.post(widgets(namespace), widget({ name: "b33", finalizers }));
    const deleted = await api.delete(path);
    expectCode(deleted, 200);
    expect(deleted.body.kind).toBe("Widget");
    expect(deleted.body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2, finalizers });
    const { deletionTimestamp, resourceVersion } = deleted.body.metadata;
    expect(deletionTimestamp).toBeTypeOf("string");
    const again = await api.delete(path);
    expect(again.body.metadata.resourceVersion).toBe(resourceVersion);

    const third = await api.mergePatch(path, { metadata: { finalizers: [...finalizers, "conf.capstan.test/c"] } });
    expectStatus(third, 422, { causes: ["FieldValueForbidden metadata.finalizers"] });

    const cleared = await api.mergePatch(path, { metadata: { deletionTimestamp: null } });
    expectCode(cleared, 200);
    expect(cleared.body.metadata.deletionTimestamp).toBe(deletionTimestamp);

    expectCode(await api.mergePatch(path, { metadata: { finalizers: ["conf.capstan.test/b"] } }), 200);
    expectCode(await api.get(path), 200);
    const last = await api.mergePatch(path, { metadata: { finalizers: [] } });
    expectCode(last, 200);
    expect(last.body.metadata.name).toBe("b33");
    expectCode(await api.get(path), 404);
  });

  it("B37 drops the status of a new object", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(widgets(namespace), widget("b37", {}, { status: { phase: "x" } }));
    expectCode(answer, 201);
    expect(answer.body.status).toBeUndefined();
    expect(answer.body.metadata.generation).toBe(1);
  });

  it("B38 counts generations of the spec only", async () => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/b38`;
    await api.post(widgets(namespace), widget("b38"));
    const labelled = await api.mergePatch(path, { metadata: { labels: { a: "b" } } });
    expect(labelled.body.metadata.generation).toBe(1);
    const changed = await api.mergePatch(path, { spec: { size: "L" } });
    expect(changed.body.metadata.generation).toBe(2);
    const status = await api.mergePatch(path, { status: { phase: "x" } });
    expectCode(status, 200);
    expect(status.body.status).toBeUndefined();
    expect(status.body.metadata.generation).toBe(2);
  });

  it("B39 changes only the status through /status", async () => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/b39`;
    await api.post(widgets(namespace), widget("b39", { size: "S" }));
    const answer = await api.mergePatch(`${path}/status`, {
      metadata: { labels: { a: "b" } },
      spec: { size: "L" },
      status: { phase: "ready" },
    });
    expectCode(answer, 200);
    expect(answer.body.status).toEqual({ phase: "ready" });
    expect(answer.body.spec.size).toBe("S");
    expect(answer.body.metadata.labels).toBeUndefined();
    expect(answer.body.metadata.generation).toBe(1);
  });

  it("B40 replaces only the status through /status", async () => {
    const { api, namespace } = suite();
    const { body } = await api.post(widgets(namespace), widget("b40", { size: "S" }));
    const answer = await api.put(`${widgets(namespace)}/b40/status`, {
      ...body,
      metadata: { ...body.metadata, labels: { a: "b" }, finalizers: ["conf.capstan.test/a"] },
      spec: { size: "L" },
      status: { phase: "p", nope: 1 },
    });
    expectCode(answer, 200);
    expect(answer.warnings).toEqual(['unknown field "status.nope"']);
    expect(answer.body.status).toEqual({ phase: "p" });
    expect(answer.body.spec.size).toBe("S");
    expect(answer.body.metadata.labels).toBeUndefined();
    expect(answer.body.metadata.finalizers).toBeUndefined();
  });

  it("B41 and B42 scale", async () => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/b41/scale`;
    await api.post(widgets(namespace), widget("b41"));
    await api.mergePatch(`${widgets(namespace)}/b41/status`, { status: { replicas: 1, selector: "a=b" } });
    const scale = await api.get(path);
    expectCode(scale, 200);
    expect(scale.body).toMatchObject({
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "b41", namespace },
      spec: { replicas: 1 },
      status: { replicas: 1, selector: "a=b" },
    });
    const replaced = await api.put(path, { ...scale.body, spec: { replicas: 3 } });
    expectCode(replaced, 200);
    expect(replaced.body).toMatchObject({ kind: "Scale", spec: { replicas: 3 } });
    const patched = await api.mergePatch(path, { spec: { replicas: 5 } });
    expectCode(patched, 200);
    const { body } = await api.get(`${widgets(namespace)}/b41`);
    expect(body.spec.replicas).toBe(5);
    expect(body.metadata.generation).toBe(3);

    expectStatus(await api.mergePatch(path, { spec: { replicas: 800 } }), 422, {
      someCauses: ["FieldValueInvalid spec.replicas"],
    });
    expectStatus(await api.mergePatch(path, { spec: { replicas: -1 } }), 422, {
      someCauses: ["FieldValueInvalid spec.replicas"],
    });
  });

  it.each<[unknown, number, readonly string[]]>([
    [2 ** 31, 400, []],
    ["3", 400, []],
    [1.5, 400, []],
    [-1, 422, ["FieldValueInvalid spec.replicas", "FieldValueInvalid .spec.replicas"]],
    [101, 422, ["FieldValueInvalid spec.replicas"]],
  ])("B42 does not scale to %j", async (replicas, code, causes) => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/b42-to/scale`;
    await api.post(widgets(namespace), widget("b42-to"));
    const { body } = await api.get(path);
    expectStatus(await api.put(path, { ...body, spec: { replicas } }), code, { causes });
    const patched = code === 400 ? ["FieldValueInvalid patch"] : causes;
    expectStatus(await api.mergePatch(path, { spec: { replicas } }), 422, { causes: patched });
    expectStatus(await api.jsonPatch(path, [{ op: "replace", path: "/spec/replicas", value: replicas }]), 422, {
      causes: patched,
    });
    expect((await api.get(path)).body.spec).toEqual(body.spec);
  });

  it("B42 leaves out a scale of zero", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("b42-zero", { replicas: 0 }));
    const { body } = await api.get(`${widgets(namespace)}/b42-zero/scale`);
    expect([body.spec, body.status]).toEqual([{}, { replicas: 0 }]);
  });

  it("B42 refuses what scale could not show, by the paths of the definition", async () => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/b42`;
    await api.post(widgets(namespace), widget("b42"));
    expectStatus(await api.post(widgets(namespace), widget("b42-below-zero", { replicas: -1 })), 422, {
      causes: ["FieldValueInvalid spec.replicas", "FieldValueInvalid .spec.replicas"],
    });
    expectStatus(await api.mergePatch(path, { spec: { replicas: 2 ** 31 } }), 422, {
      someCauses: ["FieldValueInvalid .spec.replicas"],
    });
    for (const replicas of [-1, 2 ** 31]) {
      expectStatus(await api.mergePatch(`${path}/status`, { status: { replicas } }), 422, {
        causes: ["FieldValueInvalid .status.replicas"],
      });
    }
    expectStatus(await api.mergePatch(`${path}/status`, { status: { selector: 1 } }), 422, {
      someCauses: ["FieldValueInvalid .status.selector"],
    });
  });

  it("B43 has no status endpoint where none is declared", async () => {
    const { api } = suite();
    await api.post(gadgets, gadget("b43"));
    expectStatus(await api.get(`${gadgets}/b43/status`), 404, { reason: "NotFound" });
  });

  it("B43 answers 404 for a subresource that custom resources never have", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.get(`${widgets(namespace)}/b43/nope`), 404, {
      reason: "NotFound",
      details: { name: "b43", group, kind: "widgets" },
    });
  });

  it("B46 deletes selected objects", async () => {
    const { api, namespace } = suite();
    const create = (name: string, group: string) =>
      api.post(configMaps(namespace), configMap({ name, labels: { group } }));
    await Promise.all([create("b46-1", "out"), create("b46-2", "out"), create("b46-3", "stays")]);
    const answer = await api.delete(configMaps(namespace), { query: { labelSelector: "group=out" } });
    expectCode(answer, 200);
    expect(answer.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      "b46-1",
      "b46-2",
    ]);
    const { body } = await api.get(configMaps(namespace), { query: { labelSelector: "group in (out,stays)" } });
    expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["b46-3"]);
  });

  it("B55 neither creates nor deletes a status", async () => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/b55`;
    await api.post(widgets(namespace), widget("b55"));
    expectStatus(await api.post(`${path}/status`, widget("b55")), 405, { reason: "MethodNotAllowed" });
    expectStatus(await api.delete(`${path}/status`), 405, { reason: "MethodNotAllowed" });
  });

  it("B56 refuses other bodies of a deletion", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b56"));
    expectStatus(await api.delete(`${configMaps(namespace)}/b56`, { body: "{" }), 400);
    expectStatus(await api.delete(`${configMaps(namespace)}/b56`, { body: { kind: "Pod", apiVersion: "v1" } }), 400);
    const options = { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", propagationPolicy: "Background" };
    expectCode(await api.delete(`${configMaps(namespace)}/b56`, { body: options }), 200);
  });
};
