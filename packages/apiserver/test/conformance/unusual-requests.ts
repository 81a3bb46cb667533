import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, coreApi, deployment, deployments, widget, widgetApi, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "ordered" },
  spec: { containers: ["a", "b"].map((name) => ({ name, image: "i:1" })) },
};

/** Requests that few clients make and every server answers. */
export const unusualRequests: Section = (suite) => {
  const maps = () => configMaps(suite().namespace);

  describe("resourceVersion 0", () => {
    beforeAll(async () => {
      expectCode(await suite().api.post(maps(), configMap("zero", { a: "1" })), 201);
      expectCode(await suite().api.post(widgets(suite().namespace), widget("zero")), 201);
    });
    const zero = { resourceVersion: "0" };

    it("replaces a built-in kind, whatever is there", async () => {
      expectCode(await suite().api.put(`${maps()}/zero`, configMap({ name: "zero", ...zero }, { a: "2" })), 200);
      expectCode(await suite().api.mergePatch(`${maps()}/zero`, { metadata: zero }), 200);
      const applied = configMap({ name: "zero", ...zero });
      expectCode(await suite().api.apply(`${maps()}/zero`, "somebody", applied), 200);
    });

    it("is none where a custom resource is replaced", async () => {
      const path = `${widgets(suite().namespace)}/zero`;
      const answer = await suite().api.put(path, widget({ name: "zero", ...zero }));
      expectCode(answer, 422);
      expect(answer.body.message).toContain(
        "metadata.resourceVersion: Invalid value: 0: must be specified for an update",
      );
    });
  });

  describe.each([
    ["a built-in kind", maps, configMap],
    ["a custom resource", () => widgets(suite().namespace), widget],
  ] as const)("metadata of %s", (what, all, make) => {
    const name = what === "a built-in kind" ? "timed" : "timed-widget";
    const item = () => `${all()}/${name}`;
    beforeAll(async () => expectCode(await suite().api.post(all(), make({ name, labels: { only: "a" } })), 201));
    afterAll(async () => expectCode(await suite().api.delete(item()), 200));

    it("takes no deletion time from a client, and keeps that of an object that is being deleted", async () => {
      const deletionTimestamp = "2030-01-01T00:00:00Z";
      const changed = async (path: string, value: string | undefined) => {
        const { body } = await suite().api.get(path);
        const { deletionTimestamp: _before, ...metadata } = body.metadata;
        const given = value === undefined ? metadata : { ...metadata, deletionTimestamp: value };
        return suite().api.put(path, { ...body, metadata: given });
      };
      const unset = await changed(item(), deletionTimestamp);
      expectStatus(unset, 422, { causes: ["FieldValueInvalid metadata.deletionTimestamp"], message: /immutable/ });
      const held = { name: `${name}-held`, finalizers: ["capstan.test/held"] };
      expectCode(await suite().api.post(all(), make(held)), 201);
      const path = `${all()}/${held.name}`;
      expectCode(await suite().api.delete(path), 200);
      const since = (await suite().api.get(path)).body.metadata.deletionTimestamp as string;
      expect(since).toMatch(/^20/);
      const answers = [
        await changed(path, deletionTimestamp),
        await changed(path, undefined),
        await suite().api.mergePatch(path, { metadata: { deletionTimestamp } }),
        await suite().api.mergePatch(path, { metadata: { deletionTimestamp: null } }),
      ];
      for (const answer of answers) {
        expectCode(answer, 200);
        expect(answer.body.metadata.deletionTimestamp).toBe(since);
      }
      expectCode(await suite().api.mergePatch(path, { metadata: { finalizers: null } }), 200);
    });

    it("loses its labels with the last of them, once", async () => {
      const remove = [{ op: "remove", path: "/metadata/labels/only" }];
      const { code, body } = await suite().api.jsonPatch(item(), remove);
      expect(code).toBe(200);
      expect(body.metadata).not.toHaveProperty("labels");
      const again = await suite().api.jsonPatch(item(), remove);
      expectCode(again, 422);
      expect(again.body.message).toBe("the server rejected our request due to an error in our request");
      const add = [{ op: "add", path: "/metadata/labels/other", value: "b" }];
      expectCode(await suite().api.jsonPatch(item(), add), 422);
      const whole = [{ op: "add", path: "/metadata/labels", value: { other: "b" } }];
      expect((await suite().api.jsonPatch(item(), whole)).body.metadata.labels).toEqual({ other: "b" });
      const { code: emptied, body: empty } = await suite().api.jsonPatch(item(), [
        { op: "remove", path: "/metadata/labels" },
      ]);
      expect(emptied).toBe(200);
      expect(empty.metadata).not.toHaveProperty("labels");
    });
  });

  describe("watches by paths of the older form", () => {
    beforeAll(async () => {
      for (const name of ["watched", "other"]) expectCode(await suite().api.post(maps(), configMap(name)), 201);
    });

    it.each([
      ["a list", () => `${coreApi}/watch/namespaces/${suite().namespace}/configmaps`],
      ["one object", () => `${coreApi}/watch/namespaces/${suite().namespace}/configmaps/watched`],
      ["all namespaces", () => `${coreApi}/watch/configmaps`],
      ["a Namespace", () => `${coreApi}/watch/namespaces/${suite().namespace}`],
      ["custom resources", () => `${widgetApi}/watch/namespaces/${suite().namespace}/widgets`],
    ])("show %s", async (what, path) => {
      const watch = await suite().api.watch(path(), { query: { resourceVersion: 0 } });
      const { object } = await watch.next();
      watch.close();
      const names = { "one object": "watched", "a Namespace": suite().namespace, "custom resources": "zero" };
      expect(object.kind).toBe({ "a Namespace": "Namespace", "custom resources": "Widget" }[what] ?? "ConfigMap");
      if (Object.hasOwn(names, what)) expect(object.metadata.name).toBe(names[what as keyof typeof names]);
    });
  });

  describe("custom resources", () => {
    const all = () => widgets(suite().namespace);

    it("are created below a name, of which that of the body counts", async () => {
      expectCode(await suite().api.post(`${all()}/some`, widget("posted")), 201);
      expectCode(await suite().api.get(`${all()}/posted`), 200);
      expectCode(await suite().api.get(`${all()}/some`), 404);
      expectCode(await suite().api.post(`${maps()}/some`, configMap("posted")), 405);
    });

    it("are not changed without a name", async () => {
      for (const answer of [await suite().api.put(all(), widget("posted")), await suite().api.mergePatch(all(), {})]) {
        expectCode(answer, 400);
        expect(answer.body.message).toBe("name must be provided");
      }
      expectCode(await suite().api.call("PATCH", all(), { body: {} }), 415);
      for (const method of ["POST", "PUT", "DELETE"]) {
        expectCode(await suite().api.call(method, `${widgetApi}/widgets`, { body: widget("posted") }), 404);
      }
    });

    it("warn of new finalizers without a domain", async () => {
      const finalizers = ["plain", "with.a/domain"];
      const created = await suite().api.post(all(), widget({ name: "held", finalizers }));
      expect(created.warnings).toEqual([expect.stringContaining('metadata.finalizers: "plain": prefer a domain')]);
      const labels = await suite().api.mergePatch(`${all()}/held`, { metadata: { labels: { a: "b" } } });
      expect(labels.warnings).toEqual([]);
      expectCode(await suite().api.mergePatch(`${all()}/held`, { metadata: { finalizers: null } }), 200);
    });
  });

  it("has definitions warn of formats that have no effect", async () => {
    const properties = {
      a: { type: "string", format: "weird" },
      b: { type: "integer", format: "int32" },
      c: { type: "boolean", format: "byte" },
    };
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "formats.formats.capstan.test" },
      spec: {
        group: "formats.capstan.test",
        scope: "Cluster",
        names: { plural: "formats", kind: "Format" },
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties } } },
        ],
      },
    };
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const { code, warnings } = await suite().api.post(path, definition, { query: { dryRun: "All" } });
    expect(code).toBe(201);
    expect(warnings.toSorted()).toEqual(['unrecognized format "byte"', 'unrecognized format "weird"']);
  });

  it("leaves empty lists and maps of built-in kinds out, but not what has members", async () => {
    const { body: map } = await suite().api.post(maps(), {
      ...configMap({ name: "empty", labels: {} }, {}),
      binaryData: {},
    });
    expect(Object.keys(map).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
    expect((await suite().api.mergePatch(`${maps()}/empty`, { data: {} })).body).not.toHaveProperty("data");
    const containers = [{ name: "c1", image: "i:1", args: [], env: [], resources: { limits: {} } }];
    const spec = { containers, volumes: [], nodeSelector: {}, securityContext: {} };
    const template = { metadata: { labels: { a: "b" }, annotations: {} }, spec };
    const made = await suite().api.post(deployments(suite().namespace), deployment("empty", { template }));
    expectCode(made, 201);
    const { spec: stored } = made.body.spec.template;
    expect(stored).toMatchObject({ securityContext: {}, containers: [{ resources: {} }] });
    for (const name of ["volumes", "nodeSelector"]) expect(stored).not.toHaveProperty(name);
    for (const name of ["args", "env"]) expect(stored.containers[0]).not.toHaveProperty(name);
    expect(stored.containers[0].resources).toEqual({});
  });

  it("refuses a strategic patch whose items stand in another order than it asks for", async () => {
    const pods = `${coreApi}/namespaces/${suite().namespace}/pods`;
    expectCode(await suite().api.post(pods, pod), 201);
    const patch = (order: readonly string[], changed: string) =>
      suite().api.strategicPatch(`${pods}/ordered`, {
        spec: {
          "$setElementOrder/containers": order.map((name) => ({ name })),
          containers: [{ name: changed, image: "i:2" }],
        },
      });
    const refused = await patch(["b"], "a");
    expectCode(refused, 500);
    expect(refused.body.message).toContain("$setElementOrder");
    expectCode(await patch(["a", "b"], "b"), 200);
  });

  it("answers HEAD where there are documents and health, and refuses it elsewhere", async () => {
    for (const path of ["/healthz", "/apis", "/openapi/v2"]) {
      const { code, text } = await suite().api.call("HEAD", path);
      expect({ path, code, text }).toEqual({ path, code: 200, text: "" });
    }
    for (const path of ["/version", "/api/v1", maps()]) expectCode(await suite().api.call("HEAD", path), 405);
  });
};
