import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { type Api, createApi } from "./conformance/api.ts";
import { widgetCrd } from "./conformance/crds.ts";
import { eventually, expectCode, expectStatus } from "./conformance/expectations.ts";
import { configMap, configMaps, widget, widgets } from "./conformance/objects.ts";
import { startServer } from "./embedded-server.ts";

const collection = configMaps("default");
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const yaml = "application/yaml";
const size = 3 * 2 ** 20 - 1_000;
const many = (text: string, length = size): string => text.repeat(Math.floor(length / text.length));
const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(",");
const mapText = (data: string): string => `{"metadata":{"name":"large"},"data":{${data}}}`;
/** Members whose names are long: less than 5,000 of them are more than the record of owners may say. */
const longNames = (count: number, letter = "k"): string =>
  list(count, (index) => `"${letter.repeat(200)}${index}":"v"`);
const tooLarge = { reason: "RequestEntityTooLarge" };

let server: ApiServer;
let api: Api;

beforeAll(async () => {
  server = await startServer();
  api = createApi({
    url: server.url,
    caCertificate: server.caCertificate,
    tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
    carol: { certificate: "", key: "" },
  });
  await api.post(crds, widgetCrd);
  await eventually(async () => expectCode(await api.get(widgets("default")), 200));
});

afterAll(async () => {
  await api.close();
  await server.stop();
});

describe("YAML that is made to take long", () => {
  it.each([
    ["open brackets", many("[")],
    ["empty lists", `[${many("[],")}]`],
    ["empty pairs", `[${many(":,")}]`],
    ["keys", `data:\n${Array.from({ length: 250_000 }, (_, index) => `  k${index}: a\n`).join("")}`],
    ["items", many("- a\n")],
    ["aliases", `- &a x\n${many("- *a\n")}`],
    [
      "nested aliases",
      `b0: &b0 x\n${Array.from({ length: 60 }, (_, i) => `b${i + 1}: &b${i + 1} [*b${i},*b${i}]\n`).join("")}`,
    ],
    ["documents", many("---\n")],
    ["a directive", `%YAML 1.1\n---\nbase: &b {${list(2_000, (i) => `k${i}: 1`)}}\n${many("x: {<<: *b}\n", 20_000)}`],
  ])("is refused at once: %s", async (_, body) => {
    expectStatus(await api.call("POST", collection, { body, type: yaml }), 400, { reason: "BadRequest" });
    const apply = { body, type: "application/apply-patch+yaml", query: { fieldManager: "m" } };
    expectStatus(await api.call("PATCH", `${collection}/large`, apply), 400, { reason: "BadRequest" });
  });

  it("is answered in YAML, however long", async () => {
    expectCode(await api.call("POST", collection, { body: mapText(`"text":"${many("x: ", 300_000)}"`) }), 201);
    const answer = await api.get(`${collection}/large`, { accept: yaml });
    expectCode(answer, 200);
    expect(answer.headers["content-type"]).toBe(yaml);
    expectCode(await api.delete(`${collection}/large`), 200);
  });
});

describe("an object with too much in it", () => {
  it.each([
    ["members", mapText(list(100_001, (i) => `"k${i}":"v"`))],
    ["items", `{"metadata":{"name":"large","finalizers":[${list(100_001, (i) => `"a/f${i}"`)}]}}`],
    ["empty items", `[${list(1_000_000, () => "[]")}]`],
    ["fields with owners", mapText(list(75_000, (i) => `"k${i}":"v"`))],
    ["names of fields with owners", mapText(longNames(5_000))],
    ["labels", `{"metadata":{"name":"large","labels":{${longNames(5_000)}}}}`],
  ])("is refused: %s", async (_, body) => {
    expectStatus(await api.call("POST", collection, { body }), 413, tooLarge);
  });

  it("is refused as protobuf alike", async () => {
    const text = mapText(list(100_001, (i) => `"k${i}":"v"`));
    const bytes = Buffer.from(text);
    const length = (value: number): Buffer => {
      const out: number[] = [];
      for (let rest = value; ; rest >>>= 7) {
        out.push(rest > 127 ? (rest & 127) | 128 : rest);
        if (rest <= 127) return Buffer.from(out);
      }
    };
    const type = Buffer.from("application/json");
    const body = Buffer.concat([
      Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x12]),
      length(bytes.length),
      bytes,
      Buffer.from([0x22, type.length]),
      type,
    ]);
    const answer = await api.call("POST", collection, { body, type: "application/vnd.kubernetes.protobuf" });
    expectStatus(answer, 413, tooLarge);
  });

  it("is not made by patches either", async () => {
    expectCode(await api.call("POST", collection, { body: mapText(longNames(3_000)) }), 201);
    const path = `${collection}/large`;
    const more = `{"data":{${longNames(3_000, "m")}}}`;
    for (const type of ["application/merge-patch+json", "application/strategic-merge-patch+json"]) {
      expectStatus(await api.call("PATCH", path, { body: more, type }), 413, tooLarge);
    }
    const config = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"large"},"data":{${longNames(5_000, "m")}}}`;
    const apply = { body: config, type: "application/apply-patch+yaml", query: { fieldManager: "m" } };
    expectStatus(await api.call("PATCH", path, apply), 413, tooLarge);
    expectCode(await api.delete(path), 200);
  });

  it("does not grow by patches beyond what anybody could send", async () => {
    expectCode(await api.post(widgets("default"), widget("growing", { blob: {} })), 201);
    const codes: number[] = [];
    for (const name of ["a", "b", "c"]) {
      const blob = { [name]: "x".repeat(1_200_000) };
      codes.push((await api.mergePatch(`${widgets("default")}/growing`, { spec: { blob } })).code);
    }
    expect(codes).toEqual([200, 200, 413]);
  });

  it("may become smaller when it is there", async () => {
    expectCode(await api.call("POST", collection, { body: mapText(list(14_000, (i) => `"k${i}":"v"`)) }), 201);
    expectCode(await api.mergePatch(`${collection}/large`, { data: { k1: null } }), 200);
    expectCode(await api.delete(`${collection}/large`), 200);
  });

  it("gets no deeper by patches than a body may be", async () => {
    const name = "deepening";
    expectCode(await api.post(widgets("default"), widget(name, { blob: { a: {} } })), 201);
    const deepen = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        op: "add",
        path: `/spec/blob${"/a".repeat(from + index)}`,
        value: {},
      }));
    expectCode(await api.jsonPatch(`${widgets("default")}/${name}`, deepen(1, 900)), 200);
    expectStatus(await api.jsonPatch(`${widgets("default")}/${name}`, deepen(900, 200)), 400, {});
  });
});

describe("what takes long for its number", () => {
  it("is refused: insertions into a long list", async () => {
    const items = list(90_000, (i) => `"${i}"`);
    const body = `{"apiVersion":"conf.capstan.test/v1","kind":"Widget","metadata":{"name":"long"},"spec":{"blob":{"l":[${items}]}}}`;
    expectCode(await api.call("POST", widgets("default"), { body }), 201);
    const operations = Array.from({ length: 5_000 }, () => ({ op: "add", path: "/spec/blob/l/0", value: "x" }));
    expectStatus(await api.jsonPatch(`${widgets("default")}/long`, operations), 413, tooLarge);
    expectCode(await api.delete(`${widgets("default")}/long`), 200);
  });

  it("is refused: many versions of a definition", async () => {
    const [version] = widgetCrd.spec.versions;
    const versions = Array.from({ length: 51 }, (_, index) => ({
      ...version,
      name: `v${index + 1}`,
      storage: index === 0,
    }));
    const names = { plural: "manys", singular: "many", kind: "Many", listKind: "ManyList" };
    const spec = { ...widgetCrd.spec, names, versions };
    const answer = await api.post(crds, { ...widgetCrd, metadata: { name: "manys.conf.capstan.test" }, spec });
    expectStatus(answer, 422, { reason: "Invalid", causes: ["FieldValueTooMany spec.versions"] });
  });

  it("is said a hundred times at most: unknown members", async () => {
    const spec = `{${list(30_000, (i) => `"u${i}":1`)}}`;
    const body = `{"apiVersion":"conf.capstan.test/v1","kind":"Widget","metadata":{"name":"unknown"},"spec":${spec}}`;
    const answer = await api.call("POST", widgets("default"), { body, query: { fieldValidation: "Strict" } });
    expect(answer.code).not.toBe(500);
    expect(answer.text.match(/unknown field/g)?.length ?? 0).toBeLessThanOrEqual(200);
  });

  it("is said a thousand times at most: what is wrong with a list", async () => {
    const spec = `{"alist":[${list(13_000, () => "1")}]}`;
    const body = `{"apiVersion":"conf.capstan.test/v1","kind":"Widget","metadata":{"name":"wrong"},"spec":${spec}}`;
    const answer = await api.call("POST", widgets("default"), { body });
    expectCode(answer, 422);
    expect((answer.body["details"] as { readonly causes: readonly unknown[] }).causes.length).toBeLessThan(1_010);
  });

  it("is read in one pass: owners of fields", async () => {
    expectCode(await api.post(collection, configMap("owned")), 201);
    const entry = (index: number): string =>
      `{"manager":"m${index}","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{"f:x${index}":{}}}}`;
    const body = `{"metadata":{"name":"owned","managedFields":[${list(9_000, entry)}]}}`;
    expectCode(await api.call("PUT", `${collection}/owned`, { body }), 200);
    expectCode(await api.mergePatch(`${collection}/owned`, { data: { a: "b" } }), 200);
    expectCode(await api.delete(`${collection}/owned`), 200);
  });
});
