import { expect, it } from "vitest";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, gadget, group, secrets, widget, widgetApi, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const owner = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", name, uid: `uid-${name}`, controller: true });

const repeated = (name: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"a":"1","b":"{:}","a":"2"}}`;

/** Creating and replacing. */
export const createAndReplace: Section = (suite) => {
  it("B01 creates", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), configMap("b01", { a: "1" }));
    expectCode(answer, 201);
    const { metadata } = answer.body;
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(metadata.resourceVersion).toMatch(/^\d+$/);
    expect(metadata.generation).toBeUndefined();
    expect(metadata.managedFields).toHaveLength(1);
    expect(metadata.managedFields[0]).toMatchObject({
      operation: "Update",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { ".": {}, "f:a": {} } },
    });
  });

  it("B02 refuses the same again", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b02"));
    expectStatus(await api.post(configMaps(namespace), configMap("b02")), 409, {
      reason: "AlreadyExists",
      details: { name: "b02", kind: "configmaps" },
    });
  });

  it("B03 refuses a resourceVersion", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), configMap({ name: "b03", resourceVersion: "5" }));
    expectStatus(answer, 500);
    expect(answer.body.reason).toBeUndefined();
  });

  it("B04 refuses another namespace", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), configMap({ name: "b04", namespace: "other" }));
    expectStatus(answer, 400, { reason: "BadRequest" });
  });

  it("B05 wants a name", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.post(configMaps(namespace), configMap({})), 422, {
      reason: "Invalid",
      details: { kind: "ConfigMap" },
      causes: ["FieldValueRequired metadata.name"],
    });
  });

  it("B06 generates names", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), configMap({ generateName: "gen-" }));
    expectCode(answer, 201);
    expect(answer.body.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
  });

  it("B07 takes nothing that is the server's", async () => {
    const { api, namespace } = suite();
    const time = "2001-01-01T00:00:00Z";
    const answer = await api.post(
      configMaps(namespace),
      configMap({ name: "b07", uid: "mine", creationTimestamp: time, deletionTimestamp: time }),
    );
    expectCode(answer, 201);
    expect(answer.body.metadata.uid).not.toBe("mine");
    expect(answer.body.metadata.creationTimestamp).not.toBe(time);
    expect(answer.body.metadata.deletionTimestamp).toBeUndefined();
  });

  it("B08 refuses another kind or version", async () => {
    const { api, namespace } = suite();
    const secret = { ...configMap("b08"), kind: "Secret" };
    expectStatus(await api.post(configMaps(namespace), secret), 400, { reason: "BadRequest" });
    const v2 = { ...configMap("b08"), apiVersion: "v2" };
    expectStatus(await api.post(configMaps(namespace), v2), 400, { reason: "BadRequest" });
  });

  it("B09 refuses what is not an object", async () => {
    const { api, namespace } = suite();
    for (const body of ["{", "", "[]"]) {
      expectStatus(await api.post(configMaps(namespace), body), 400, { reason: "BadRequest" });
    }
  });

  it("B10 refuses a value of the wrong type", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.post(configMaps(namespace), configMap("b10", { a: 1 })), 400, { reason: "BadRequest" });
  });

  it("B11 refuses bad names", async () => {
    const { api, namespace } = suite();
    for (const name of ["Bad_Name", "a".repeat(254)]) {
      expectStatus(await api.post(configMaps(namespace), configMap(name)), 422, {
        causes: ["FieldValueInvalid metadata.name"],
      });
    }
  });

  it("B12 refuses bad labels", async () => {
    const { api, namespace } = suite();
    const labels = { "a b": "x", ok: "v".repeat(64) };
    expectStatus(await api.post(configMaps(namespace), configMap({ name: "b12", labels })), 422, {
      causes: ["FieldValueInvalid metadata.labels", "FieldValueInvalid metadata.labels"],
    });
  });

  it("B13 refuses too many annotations", async () => {
    const { api, namespace } = suite();
    const annotations = { a: "v".repeat(262_144) };
    expectStatus(await api.post(configMaps(namespace), configMap({ name: "b13", annotations })), 422, {
      causes: ["FieldValueTooLong metadata.annotations"],
    });
  });

  it("B14 refuses bodies over 3 MiB", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), configMap("b14", { a: "v".repeat(3_200_000) }));
    expectStatus(answer, 413, { reason: "RequestEntityTooLarge" });
  });

  it("B15 refuses an unqualified finalizer", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.post(configMaps(namespace), configMap({ name: "b15", finalizers: ["nofqdn"] })), 422, {
      someCauses: ["FieldValueInvalid metadata.finalizers[0]"],
    });
  });

  it("B16 refuses two controllers", async () => {
    const { api, namespace } = suite();
    const ownerReferences = [owner("x"), owner("y")];
    expectStatus(await api.post(configMaps(namespace), configMap({ name: "b16", ownerReferences })), 422, {
      causes: ["FieldValueInvalid metadata.ownerReferences"],
    });
  });

  it("refuses owner references that name nothing, and prefixes that begin no name", async () => {
    const { api, namespace } = suite();
    const refused = (metadata: object, causes: readonly string[]): Promise<void> =>
      api.post(configMaps(namespace), configMap(metadata)).then((answer) => expectStatus(answer, 422, { causes }));
    const at = "FieldValueInvalid metadata.ownerReferences";
    await refused({ name: "b16", ownerReferences: [{ ...owner("x"), name: "", uid: "" }] }, [
      `${at}.name`,
      `${at}.uid`,
    ]);
    await refused({ name: "b16", ownerReferences: [{ ...owner("x"), apiVersion: "a/b/c" }] }, [`${at}.apiVersion`]);
    await refused({ generateName: "Bad_" }, [
      "FieldValueInvalid metadata.generateName",
      "FieldValueInvalid metadata.name",
    ]);
  });

  it("B17 wants the namespace to exist", async () => {
    const { api } = suite();
    const expected = { reason: "NotFound", details: { name: "missing-ns", kind: "namespaces" } };
    expectStatus(await api.post(configMaps("missing-ns"), configMap("b17")), 404, expected);
    expectStatus(await api.post(widgets("missing-ns"), widget("b17")), 404, expected);
  });

  it("B18 lists nothing in a missing namespace", async () => {
    const answer = await suite().api.get(configMaps("missing-ns"));
    expectCode(answer, 200);
    expect(answer.body.items).toEqual([]);
  });

  it("B19 does not find what is missing", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.get(`${configMaps(namespace)}/nope`), 404, {
      reason: "NotFound",
      details: { name: "nope", kind: "configmaps" },
    });
    expectStatus(await api.get(`${widgets(namespace)}/nope`), 404, {
      reason: "NotFound",
      details: { name: "nope", group, kind: "widgets" },
      message: `widgets.${group} "nope" not found`,
    });
  });

  it("B20 does not replace what is missing", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.put(`${configMaps(namespace)}/nope`, configMap("nope")), 404, { reason: "NotFound" });
    const missing = widget({ name: "nope", resourceVersion: "1" });
    expectStatus(await api.put(`${widgets(namespace)}/nope`, missing), 404, { reason: "NotFound" });
  });

  it("B21 wants the URL's name in a replacement", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b21"));
    expectStatus(await api.put(`${configMaps(namespace)}/b21`, configMap("other")), 400);
    expectStatus(await api.put(`${configMaps(namespace)}/b21`, configMap({})), 400);
  });

  it("B22 refuses a stale replacement", async () => {
    const { api, namespace } = suite();
    const { body } = await api.post(configMaps(namespace), configMap("b22", { a: "1" }));
    expectCode(await api.put(`${configMaps(namespace)}/b22`, { ...body, data: { a: "2" } }), 200);
    expectStatus(await api.put(`${configMaps(namespace)}/b22`, { ...body, data: { a: "3" } }), 409, {
      reason: "Conflict",
      details: { name: "b22", kind: "configmaps" },
      message: "the object has been modified",
    });
  });

  it("B23 replaces some kinds without a resourceVersion", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b23"));
    expectCode(await api.put(`${configMaps(namespace)}/b23`, configMap("b23", { a: "1" })), 200);
  });

  it("B24 wants a resourceVersion for custom resources", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("b24"));
    expectStatus(await api.put(`${widgets(namespace)}/b24`, widget("b24")), 422, {
      details: { kind: "widgets" },
      causes: ["FieldValueInvalid metadata.resourceVersion"],
    });
  });

  it("B25 refuses another uid", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b25"));
    const other = configMap({ name: "b25", uid: "11111111-1111-1111-1111-111111111111" });
    expectStatus(await api.put(`${configMaps(namespace)}/b25`, other), 409, { reason: "Conflict" });
  });

  it("B26 does nothing for an unchanged replacement", async () => {
    const { api, namespace } = suite();
    const { body } = await api.post(configMaps(namespace), configMap("b26", { a: "1" }));
    const watch = await api.watch(configMaps(namespace), {
      query: { resourceVersion: body.metadata.resourceVersion, fieldSelector: "metadata.name=b26" },
    });
    const answer = await api.put(`${configMaps(namespace)}/b26`, body);
    expectCode(answer, 200);
    expect(answer.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    await api.delete(`${configMaps(namespace)}/b26`);
    expect((await watch.next()).type).toBe("DELETED");
    watch.close();
  });

  it("B27 keeps the creation time", async () => {
    const { api, namespace } = suite();
    const { body } = await api.post(configMaps(namespace), configMap("b27"));
    const changed = { ...body, metadata: { ...body.metadata, creationTimestamp: "2001-01-01T00:00:00Z" } };
    const answer = await api.put(`${configMaps(namespace)}/b27`, changed);
    expectCode(answer, 200);
    expect(answer.body.metadata.creationTimestamp).toBe(body.metadata.creationTimestamp);
  });

  it("B44 knows no namespaces for cluster-scoped kinds", async () => {
    const answer = await suite().api.post(`${widgetApi}/namespaces/default/gadgets`, gadget("b44"));
    expect(answer.code).toBe(404);
    expect(answer.headers["content-type"]).toContain("text/plain");
  });

  it("B45 wants kind and version of custom resources", async () => {
    const { api, namespace } = suite();
    const { kind: _, ...kindless } = widget("b45");
    expectStatus(await api.post(widgets(namespace), kindless), 400, { reason: "BadRequest" });
    expectStatus(await api.post(widgets(namespace), { ...widget("b45"), kind: "Other" }), 422, {
      causes: ["FieldValueInvalid kind"],
    });
    const other = { ...widget("b45"), apiVersion: `${group}/v1beta1` };
    expectStatus(await api.post(widgets(namespace), other), 400, { reason: "BadRequest" });
  });

  it("B47 creates nothing in a dry run", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), configMap("b47"), { query: { dryRun: "All" } });
    expectCode(answer, 201);
    expect(answer.body.metadata.resourceVersion).toBeUndefined();
    expect(answer.body.metadata.uid).toBeTypeOf("string");
    expectCode(await api.get(`${configMaps(namespace)}/b47`), 404);
  });

  it("B48 checks dry runs", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b48"));
    const again = await api.post(configMaps(namespace), configMap("b48"), { query: { dryRun: "All" } });
    expectStatus(again, 409, { reason: "AlreadyExists" });
    const unknown = await api.post(configMaps(namespace), configMap("b48x"), { query: { dryRun: "Foo" } });
    expectStatus(unknown, 422, { causes: ["FieldValueNotSupported dryRun"] });
  });

  it("B49 checks the field manager", async () => {
    const { api, namespace } = suite();
    const create = (fieldManager: string) =>
      api.post(configMaps(namespace), configMap({ generateName: "b49-" }), { query: { fieldManager } });
    expectStatus(await create("m".repeat(129)), 422, { causes: ["FieldValueTooLong fieldManager"] });
    expectStatus(await create("a\u0007b"), 422, { causes: ["FieldValueInvalid fieldManager"] });
  });

  it("B50 warns about unknown fields", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), { ...configMap("b50"), nope: 1, other: 2 });
    expectCode(answer, 201);
    expect(answer.warnings.toSorted()).toEqual(['unknown field "nope"', 'unknown field "other"']);
    expect(answer.body.nope).toBeUndefined();
  });

  it("B51 is strict or silent about them when asked", async () => {
    const { api, namespace } = suite();
    const create = (fieldValidation: string) =>
      api.post(
        configMaps(namespace),
        { ...configMap({ generateName: "b51-" }), nope: 1 },
        { query: { fieldValidation } },
      );
    expectStatus(await create("Strict"), 400, { message: 'strict decoding error: unknown field "nope"' });
    const ignored = await create("Ignore");
    expectCode(ignored, 201);
    expect(ignored.warnings).toEqual([]);
    expectStatus(await create("Foo"), 422, { causes: ["FieldValueNotSupported fieldValidation"] });
  });

  it("B52 notices repeated members", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), repeated("b52"));
    expectCode(answer, 201);
    expect(answer.warnings).toEqual(['duplicate field "data.a"']);
    expect(answer.body.data.a).toBe("2");
    const strict = await api.post(configMaps(namespace), repeated("b52s"), { query: { fieldValidation: "Strict" } });
    expectStatus(strict, 400, { message: 'duplicate field "data.a"' });
  });

  it("B53 prunes custom resources", async () => {
    const { api, namespace } = suite();
    const body = {
      ...widget({ name: "b53", bar: 1 }, { nope: 1, nested: { zz: 1 }, blob: { any: { deep: true } } }),
      extra: 1,
    };
    const answer = await api.post(widgets(namespace), body);
    expectCode(answer, 201);
    expect(answer.warnings.toSorted()).toEqual([
      'unknown field "extra"',
      'unknown field "metadata.bar"',
      'unknown field "spec.nested.zz"',
      'unknown field "spec.nope"',
    ]);
    expect(answer.body.spec.blob).toEqual({ any: { deep: true } });
    expect(answer.body.spec.nope).toBeUndefined();
    expect(answer.body.extra).toBeUndefined();
    expect(answer.body.metadata.bar).toBeUndefined();
  });

  it("keeps warnings readable and short", async () => {
    const { api, namespace } = suite();
    const odd = await api.post(configMaps(namespace), { ...configMap("odd"), 'a\nb"c': 1 });
    expectCode(odd, 201);
    expect(odd.warnings).toEqual(['unknown field "a\\nb\\"c"']);
    const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field-${index}`, 1]));
    const many = await api.post(configMaps(namespace), { ...configMap("many"), ...fields });
    expectCode(many, 201);
    expect(many.warnings.length).toBeGreaterThan(10);
    expect(many.warnings.join("").length).toBeLessThan(8_192);
  });

  it("creates a Lease by replacing a missing one", async () => {
    const { api, namespace } = suite();
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/b20`;
    const lease = { metadata: { name: "b20", resourceVersion: "5" }, spec: { holderIdentity: "me" } };
    expectCode(await api.put(path, lease), 201);
  });

  it("B54 is strict about patches with 422", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("b54"));
    const answer = await api.mergePatch(
      `${widgets(namespace)}/b54`,
      { spec: { nope: 1 } },
      { query: { fieldValidation: "Strict" } },
    );
    expectStatus(answer, 422, { causes: ["FieldValueInvalid patch"] });
  });

  it("keeps unusual but valid keys and pollutes nothing", async () => {
    const { api, namespace } = suite();
    const text = `{"metadata":{"name":"keys"},"data":{"__proto__":"p","constructor":"c"}}`;
    expectCode(await api.post(configMaps(namespace), text), 201);
    const { text: stored } = await api.get(`${configMaps(namespace)}/keys`);
    expect(stored).toContain('"__proto__":"p"');
    expect(stored).toContain('"constructor":"c"');
    expectCode(await api.post(secrets(namespace), { metadata: { name: "plain" } }), 201);
  });
};
