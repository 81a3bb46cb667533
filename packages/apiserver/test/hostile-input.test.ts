import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { type Api, type CallOptions, createApi } from "./conformance/api.ts";
import { widgetCrd } from "./conformance/crds.ts";
import { eventually, expectCode, expectStatus } from "./conformance/expectations.ts";
import { configMap, configMaps, widgets } from "./conformance/objects.ts";
import { startServer } from "./embedded-server.ts";

const collection = configMaps("default");
const big = "9007199254740993";
const least = "-9223372036854775808";

const apiOf = (server: ApiServer): Api =>
  createApi({
    url: server.url,
    caCertificate: server.caCertificate,
    tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
    carol: { certificate: "", key: "" },
  });

let directory: string;
let server: ApiServer;
let api: Api;

const start = async (): Promise<void> => {
  server = await startServer({ storage: { file: join(directory, "state.db") } });
  api = apiOf(server);
};

const stop = async (): Promise<void> => {
  await api.close();
  await server.stop();
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "capstan-hostile-"));
  await start();
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgetCrd);
  await eventually(async () => expectCode(await api.get(widgets("default")), 200));
});

afterAll(async () => {
  await stop();
  rmSync(directory, { recursive: true });
});

/** A custom resource written by hand: what a test wants to send is not always what `JSON.stringify` writes. */
const widgetText = (name: string, spec: string): string =>
  `{"apiVersion":"conf.capstan.test/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`;

const getText = (path: string, version: string): string =>
  `GET ${path} HTTP/${version}\r\nhost: x\r\nauthorization: Bearer token-admin\r\n\r\n`;

const open = async (
  path: string,
  options: {
    readonly paused?: boolean;
    readonly before?: string;
    readonly version?: string;
    readonly secureContext?: SecureContext;
    readonly session?: Buffer;
  } = {},
): Promise<TLSSocket> => {
  const { secureContext = createSecureContext({ ca: server.caCertificate }), session } = options;
  const address = { port: Number(new URL(server.url).port), host: "127.0.0.1" };
  const socket = connect({ ...address, secureContext, ...(session === undefined ? {} : { session }) });
  await once(socket, "secureConnect");
  if (options.paused === true) {
    socket.pause();
  }
  const { before, version = "1.1" } = options;
  socket.write((before === undefined ? "" : getText(before, version)) + getText(path, version));
  return socket;
};

describe("integers of 64 bits", () => {
  const path = `${widgets("default")}/exact`;

  it("come through every kind of write and read", async () => {
    const { body: list } = await api.get(widgets("default"));
    const watch = await open(`${widgets("default")}?watch=true&resourceVersion=${list.metadata.resourceVersion}`);
    const seen: string[] = [];
    watch.on("data", (data: Buffer) => seen.push(data.toString()));

    const spec = `{"min":${least},"max":${big},"blob":{"known":1,"deep":[${big}]}}`;
    const created = await api.call("POST", widgets("default"), { body: widgetText("exact", spec) });
    expectCode(created, 201);
    expect(created.text).toContain(`"min":${least},"max":${big}`);
    expect(created.text).toContain(`"deep":[${big}]`);

    const writes: readonly [string, CallOptions][] = [
      ["merge", { type: "application/merge-patch+json", body: `{"spec":{"blob":{"known":9007199254740995}}}` }],
      [
        "JSON",
        {
          type: "application/json-patch+json",
          body: `[{"op":"add","path":"/spec/blob/known","value":9007199254740995}]`,
        },
      ],
      [
        "apply",
        {
          type: "application/apply-patch+yaml",
          query: { fieldManager: "m", force: true },
          body: "apiVersion: conf.capstan.test/v1\nkind: Widget\nmetadata: {name: exact}\nspec:\n  blob:\n    known: 9007199254740995\n",
        },
      ],
    ];
    for (const [, write] of writes) {
      const changed = await api.call("PATCH", path, write);
      expectCode(changed, 200);
      expect(changed.text).toContain(`"known":9007199254740995`);
      expect(changed.text).toContain(`"deep":[${big}]`);
    }
    const replaced = await api.call("PUT", path, {
      body: (await api.get(path)).text.replaceAll(big, "9007199254740997"),
    });
    expectCode(replaced, 200);
    expect((await api.get(path)).text).toContain(`"max":9007199254740997`);
    expect((await api.get(widgets("default"))).text).toContain(`"max":9007199254740997`);
    expect((await api.get(path, { accept: "application/yaml" })).text).toContain("max: 9007199254740997");
    await eventually(() => {
      expect(seen.join("")).toContain(`"max":9007199254740997`);
      return Promise.resolve();
    });
    watch.destroy();
  });

  it("are validated, also by rules", async () => {
    const refused = await api.call("POST", widgets("default"), {
      body: widgetText("refused", `{"min":9007199254740993,"max":9007199254740992}`),
    });
    expectStatus(refused, 422, { reason: "Invalid" });
    const replicas = await api.call("POST", widgets("default"), { body: widgetText("refused", `{"replicas":${big}}`) });
    expectStatus(replicas, 422, { reason: "Invalid" });
  });

  it("are no way to keep a Pod for ever, or a number of replicas", async () => {
    const pods = "/api/v1/namespaces/default/pods";
    const spec = `{"nodeName":"n","containers":[{"name":"c","image":"i"}],"terminationGracePeriodSeconds":${big}}`;
    expectCode(await api.call("POST", pods, { body: `{"metadata":{"name":"lasting"},"spec":${spec}}` }), 201);
    expectCode(await api.delete(`${pods}/lasting`), 200);
    expectCode(await api.delete(`${pods}/lasting`, { query: { gracePeriodSeconds: 0 } }), 200);
    expectCode(await api.call("POST", widgets("default"), { body: widgetText("scaled", "{}") }), 201);
    const scale = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"scaled"},"spec":{"replicas":${big}}}`;
    const answer = await api.call("PUT", `${widgets("default")}/scaled/scale`, { body: scale });
    expectStatus(answer, 400, { reason: "BadRequest" });
  });

  it("survive a restart", async () => {
    const before = await api.get(path);
    await stop();
    await start();
    const after = await api.get(path);
    expect(after.text).toBe(before.text);
    const patched = await api.mergePatch(path, { metadata: { labels: { touched: "yes" } } });
    expect(patched.text).toContain(`"max":9007199254740997`);
  });

  it("are refused where only smaller ones can be, and numbers without a value altogether", async () => {
    const generation = `{"metadata":{"name":"x","generation":${big}}}`;
    expectStatus(await api.call("POST", collection, { body: generation }), 400, { reason: "BadRequest" });
    const infinite = widgetText("x", `{"num":1e400}`);
    expectStatus(await api.call("POST", widgets("default"), { body: infinite }), 400, { reason: "BadRequest" });
    const yaml = "apiVersion: conf.capstan.test/v1\nkind: Widget\nmetadata: {name: x}\nspec: {num: .inf}\n";
    const answer = await api.call("POST", widgets("default"), { body: yaml, type: "application/yaml" });
    expectStatus(answer, 400, { reason: "BadRequest" });
  });
});

describe("names that mean something to JavaScript", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const data = `{${names.map((name) => `"${name}":"v-${name}"`).join(",")}}`;

  it("are keys like any other in every kind of write", async () => {
    const created = await api.call("POST", collection, { body: `{"metadata":{"name":"names"},"data":${data}}` });
    expectCode(created, 201);
    expect(JSON.stringify(created.body.data)).toBe(data);
    const path = `${collection}/names`;
    await api.call("PATCH", path, { type: "application/merge-patch+json", body: `{"data":{"__proto__":"merged"}}` });
    expect((await api.get(path)).text).toContain(`"__proto__":"merged"`);
    await api.jsonPatch(path, [{ op: "replace", path: "/data/__proto__", value: "replaced" }]);
    expect((await api.get(path)).text).toContain(`"__proto__":"replaced"`);
    const config = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"names"},"data":{"__proto__":"applied"}}`;
    const query = { fieldManager: "m", force: true };
    expectCode(await api.call("PATCH", path, { type: "application/apply-patch+yaml", query, body: config }), 200);
    const after = await api.get(path);
    expect(after.text).toContain(`"__proto__":"applied"`);
    expect(after.text).toContain(`"f:__proto__":{}`);
    expect(({} as Record<string, unknown>)["merged"]).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it("are pruned where the schema does not know them, and stay where it lets anything stand", async () => {
    const spec = `{"__proto__":{"size":"L"},"constructor":{"prototype":{"polluted":true}},"blob":${data},"gmap":${data}}`;
    const created = await api.call("POST", widgets("default"), { body: widgetText("names", spec) });
    expectCode(created, 201);
    expect(created.body.spec.size).toBe("M");
    expect(Object.hasOwn(created.body.spec as object, "constructor")).toBe(false);
    expect(created.text).toContain(`"gmap":${data}`);
    expect(JSON.stringify(created.body.spec.blob)).toBe(data);
    expect(created.warnings).toContain('unknown field "spec.__proto__"');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("are not objects, kinds or paths", async () => {
    for (const name of names) {
      expectCode(await api.get(`${collection}/${name}`), 404);
      expectCode(await api.get(`/apis/${name}/v1/things`), 404);
      expectCode(await api.get(`/api/v1/${name}`), 404);
      expectCode(await api.get(`/${name}`), 404);
      const isLabel = name !== "__proto__";
      expectCode(await api.get(collection, { query: { labelSelector: `${name}=x` } }), isLabel ? 200 : 400);
    }
  });
});

describe("bytes that are not UTF-8", () => {
  it("are replaced in JSON, as by a real server, and nothing else is disturbed", async () => {
    const body = Buffer.concat([
      Buffer.from(`{"metadata":{"name":"bytes"},"data":{"a":"x`),
      Buffer.from([0xff, 0xc0, 0xed, 0xa0, 0x80]),
      Buffer.from(`y"}}`),
    ]);
    const created = await api.call("POST", collection, { body });
    expectCode(created, 201);
    expect(created.body.data.a).toMatch(/^x\uFFFD+y$/);
    expect((await api.get(collection)).body.items.length).toBeGreaterThan(0);
  });

  it("are refused in protobuf", async () => {
    const body = Buffer.from("6b3873000a0f0a02763112094e616d657370616365121b0a130a03ffff611a002200", "hex");
    const options = { body, type: "application/vnd.kubernetes.protobuf" };
    expectStatus(await api.call("POST", "/api/v1/namespaces", options), 400, { reason: "BadRequest" });
  });

  it("are refused in paths", async () => {
    expectCode(await api.get(`${collection}/%ff`), 400);
  });
});

describe("what is of no use where it stands", () => {
  const options = (kind: string) => ({ body: `{"kind":${kind}}`, type: "application/json" });

  it("is not a key of an extra to act with", async () => {
    for (const as of ["nobody", "bob"]) {
      const headers = { "impersonate-user": "x", "impersonate-extra-%zz": "y" };
      expectCode(await api.get(collection, { as, headers }), 403);
      expectCode(await api.get(collection, { as, headers: { "impersonate-extra-%e0%a4%a": "y" } }), 400);
    }
  });

  it("is not DeleteOptions", async () => {
    for (const kind of ["5", big, '"Pod"', "[]"]) {
      expectStatus(await api.delete(`${collection}/none`, options(kind)), 400, { reason: "BadRequest" });
    }
    const policy = { body: `{"propagationPolicy":${big}}` };
    expectStatus(await api.delete(`${collection}/none`, policy), 400, { reason: "BadRequest" });
    const dryRun = { body: `{"dryRun":[${big}]}` };
    expectStatus(await api.delete(`${collection}/none`, dryRun), 400, { reason: "BadRequest" });
  });

  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const definition = (kind: string, field: string): string => {
    const plural = `${kind.toLowerCase()}s`;
    const schema = `{"type":"object","properties":{"spec":{"type":"object","properties":{"f":${field}}}}}`;
    return `{"metadata":{"name":"${plural}.odd.test"},"spec":{"group":"odd.test","scope":"Namespaced",
      "names":{"plural":"${plural}","kind":"${kind}"},
      "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]}}`;
  };

  it.each([
    `{"type":"string","x-kubernetes-validations":[{}]}`,
    `{"type":"string","x-kubernetes-validations":[{"rule":5}]}`,
    `{"type":"string","x-kubernetes-validations":{"rule":"true"}}`,
    `{"type":"string","x-kubernetes-validations":[null]}`,
    `{"type":"string","pattern":"(","default":"a"}`,
    `{"type":"object","required":"a"}`,
    `{"type":"object","required":"a","default":{}}`,
    `{"type":"array","items":{"type":"string","x-kubernetes-validations":[{"rule":"true"}]},"maxItems":9223372036854775807}`,
    `null`,
  ])("is not a schema: %s", async (field) => {
    expectStatus(await api.call("POST", crds, { body: definition("Odd", field) }), 422, { reason: "Invalid" });
  });

  it("breaks no description of all kinds: integers of 64 bits in a schema", async () => {
    const field = `{"type":"integer","format":"int64","minimum":${least},"maximum":9223372036854775807,
      "default":${big},"multipleOf":${big},"enum":[0,${big}],"x-kubernetes-validations":[{"rule":"self >= 0"}]}`;
    expectCode(await api.call("POST", crds, { body: definition("Large", field) }), 201);
    const larges = "/apis/odd.test/v1/namespaces/default/larges";
    await eventually(async () => expectCode(await api.get(larges), 200));
    const object = (f: string) =>
      `{"apiVersion":"odd.test/v1","kind":"Large","metadata":{"name":"l"},"spec":{"f":${f}}}`;
    expectStatus(await api.call("POST", larges, { body: object("7") }), 422, { reason: "Invalid" });
    expectCode(await api.call("POST", larges, { body: object(big) }), 201);
    expectCode(await api.get("/openapi/v3"), 200);
    expectCode(await api.get("/openapi/v3/api/v1"), 200);
    const described = await api.get("/openapi/v3/apis/odd.test/v1");
    expectCode(described, 200);
    expect(described.text).toContain('"maximum":9223372036854775807');
    expectCode(await api.get(`${crds}/larges.odd.test`, { accept: "application/yaml" }), 200);
  });
});

/** Everything that comes until `end` does. */
const textUntil = async (socket: TLSSocket, end: string): Promise<string> => {
  let text = "";
  for await (const data of socket as AsyncIterable<Buffer>) {
    text += data.toString();
    if (text.includes(end)) {
      break;
    }
  }
  socket.destroy();
  return text;
};

describe("watchers", () => {
  it("may speak HTTP/1.0, and may wait behind another request on their connection", async () => {
    await api.post(collection, configMap("wanted"));
    const query = "watch=true&fieldSelector=metadata.name%3Dwanted&allowWatchBookmarks=true&timeoutSeconds=1";
    const old = await textUntil(await open(`${collection}?${query}`, { version: "1.0" }), "no such text");
    const lines = old.split("\r\n\r\n")[1]?.trimEnd().split("\n") ?? [];
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(["ADDED", "BOOKMARK", "BOOKMARK"]);
    expect(old).not.toMatch(/transfer-encoding/i);

    const both = await textUntil(await open(`${collection}?${query}`, { before: collection }), "\r\n0\r\n\r\n");
    const [, list, watch] = both.split(/HTTP\/1\.1 200 OK/);
    expect(list).toContain('"kind":"ConfigMapList"');
    expect(watch).toMatch(/transfer-encoding: chunked/i);
    expect(watch).toContain('{"type":"ADDED"');
  });

  it("that do not read are cut off, and hold nobody up", async () => {
    await api.post(collection, configMap("heavy"));
    const socket = await open(`${collection}?watch=true&resourceVersion=0`, { paused: true });
    const closed = once(socket, "close");
    const data = "x".repeat(900_000);
    // More than waits for one watcher, together with what the kernel takes.
    for (let turn = 0; turn < 40; turn++) {
      expectCode(await api.mergePatch(`${collection}/heavy`, { data: { text: turn + data } }), 200);
    }
    socket.on("error", () => undefined);
    socket.resume();
    await closed;
    expectCode(await api.delete(`${collection}/heavy`), 200);
  });

  it("may be a thousand", async () => {
    const count = 1_000;
    const waiting = new Set<TLSSocket>();
    const all = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    let answered = 0;
    const path = `${collection}?watch=true&resourceVersion=${(await api.get(collection)).body.metadata.resourceVersion}`;
    // One key exchange in full, then its session for the others: a thousand would be most of the time.
    const secureContext = createSecureContext({ ca: server.caCertificate });
    const first = await open(path, { secureContext });
    const [session] = (await once(first, "session")) as [Buffer];
    first.destroy();
    for (let from = 0; from < count; from += 50) {
      const sockets = await Promise.all(Array.from({ length: 50 }, () => open(path, { secureContext, session })));
      for (const socket of sockets) {
        waiting.add(socket);
        socket.once("data", () => {
          answered += 1;
          if (answered === count) {
            opened.resolve();
          }
        });
        socket.on("data", (text: Buffer) => {
          if (text.includes('"name":"for-all"')) {
            waiting.delete(socket);
            socket.destroy();
            if (waiting.size === 0) {
              all.resolve();
            }
          }
        });
      }
    }
    await opened.promise;
    expectCode(await api.post(collection, configMap("for-all")), 201);
    await all.promise;
    expectCode(await api.get(`${collection}/for-all`), 200);
  });
});
