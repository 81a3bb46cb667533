import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "./api.ts";
import { expectCode } from "./expectations.ts";
import { configMap, configMaps, widget, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const count = 20_000;

const data = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

interface Owned {
  readonly manager: string;
  readonly operation: string;
  readonly fieldsV1: { readonly "f:data"?: Readonly<Record<string, unknown>> };
}

/** An object with as many fields as there can be is one like others. */
export const manyKeys: Section = (suite) => {
  const path = () => `${configMaps(suite().namespace)}/many`;
  const owners = async (): Promise<Readonly<Record<string, number>>> => {
    const { metadata } = (await suite().api.get(path())).body;
    const managed = (metadata.managedFields ?? []) as readonly Owned[];
    const fields = ({ fieldsV1 }: Owned): number =>
      Object.keys(fieldsV1["f:data"] ?? {}).filter((name) => name !== ".").length;
    return Object.fromEntries(managed.map((owner) => [`${owner.manager} ${owner.operation}`, fields(owner)]));
  };
  const shows = ({ body }: Answer, key: string, value: string): void => {
    expect(Object.keys(body["data"] as object)).toHaveLength(count);
    expect((body["data"] as Record<string, unknown>)[key]).toBe(value);
  };

  describe("a ConfigMap with 20,000 keys", () => {
    beforeAll(async () => {
      const answer = await suite().api.apply(path(), "first", configMap("many", data("a")));
      expectCode(answer, 201);
      expect(Object.keys(answer.body["data"] as object)).toHaveLength(count);
    });

    it("is told to watchers", async () => {
      const query = { fieldSelector: "metadata.name=many" };
      const watch = await suite().api.watch(configMaps(suite().namespace), { query });
      const { object, type } = await watch.next();
      watch.close();
      expect(type).toBe("ADDED");
      expect(Object.keys(object["data"] as object)).toHaveLength(count);
    });

    it("belongs to who has applied it, who is asked when somebody else does", async () => {
      expect(await owners()).toEqual({ "first Apply": count });
      const other = configMap("many", { k7: "b" });
      const refused = await suite().api.apply(path(), "second", other);
      expectCode(refused, 409);
      expect(refused.body.message).toContain('conflict with "first": .data.k7');
      const answer = await suite().api.apply(path(), "second", other, { query: { force: true } });
      expectCode(answer, 200);
      shows(answer, "k7", "b");
      expect(await owners()).toEqual({ "first Apply": count - 1, "second Apply": 1 });
    });

    it.each([
      ["merge", () => suite().api.mergePatch(path(), { data: { k8: "c" } }), "k8"],
      ["strategic", () => suite().api.strategicPatch(path(), { data: { k9: "c" } }), "k9"],
      ["JSON", () => suite().api.jsonPatch(path(), [{ op: "replace", path: "/data/k10", value: "c" }]), "k10"],
    ])("is patched: %s", async (_, patch, key) => {
      const answer = await patch();
      expectCode(answer, 200);
      shows(answer, key, "c");
    });

    it("keeps its version when nothing changes", async () => {
      const before = (await suite().api.get(path())).body;
      const after = await suite().api.put(path(), before);
      expectCode(after, 200);
      expect(after.body.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    });

    it("is refused for one key that is none", async () => {
      const answer = await suite().api.put(path(), configMap("many", { ...data("d"), "a/b": "x" }));
      expectCode(answer, 422);
      expect(answer.body.message).toContain("data[a/b]: Invalid value");
    });

    it("is replaced and deleted", async () => {
      const answer = await suite().api.put(path(), configMap("many", data("e")));
      expectCode(answer, 200);
      shows(answer, "k0", "e");
      expectCode(await suite().api.delete(path()), 200);
      expectCode(await suite().api.get(path()), 404);
    });
  });

  it("a custom resource may have as many", async () => {
    const many = `${widgets(suite().namespace)}/many`;
    expectCode(await suite().api.post(widgets(suite().namespace), widget("many", { blob: data("a") })), 201);
    expectCode(await suite().api.mergePatch(many, { spec: { blob: { k1: "b" } } }), 200);
    const { body } = await suite().api.get(many);
    expect(body["spec"]).toMatchObject({ blob: { ...data("a"), k1: "b" } });
    expect(body.metadata["generation"]).toBe(2);
    expectCode(await suite().api.delete(many), 200);
  });
};
