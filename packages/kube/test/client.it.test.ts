import { isCapstanError, Secret } from "@capstan/contract";
import { type KubeObject, resource } from "@capstan/schema";
import { type FakeClock, fakeClock } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Client, connect, createClient, findMetadata, listMetadata, type WriteObserver } from "../src/index.ts";
import { type JsonHandler, type JsonServer, jsonServer } from "./json-server.ts";

const Widget = resource({ group: "conf.capstan.test", version: "v1", kind: "Widget", plural: "widgets" });
const Namespace = resource({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false });
const key = { namespace: "default", name: "a" };
const path = "/apis/conf.capstan.test/v1/namespaces/default/widgets";

const widget = (metadata: KubeObject["metadata"] = {}): KubeObject => ({
  apiVersion: "conf.capstan.test/v1",
  kind: "Widget",
  metadata: { ...key, ...metadata },
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Setup {
  readonly server: JsonServer;
  readonly clock: FakeClock;
  readonly client: Client;
  /** The last request as one line. */
  readonly last: () => string;
}

const setup = async (
  handler: JsonHandler,
  options: {
    readonly observer?: WriteObserver;
    readonly limit?: { perSecond: number; burst: number };
    path?: string;
  } = {},
): Promise<Setup> => {
  const server = await jsonServer(handler);
  closing.push(() => server.stop());
  const clock = fakeClock();
  const { limit, observer } = options;
  const url = `${server.url}${options.path ?? ""}`;
  const token = new Secret("t0k");
  const connection = connect({ url, clock, token, ...(limit !== undefined && { limit }) });
  closing.push(() => connection.close());
  const client = createClient(connection, observer === undefined ? {} : { observer });
  const last = (): string => {
    const request = server.requests.at(-1);
    const query = request?.query.toString() ?? "";
    return `${request?.method} ${request?.path}${query === "" ? "" : `?${query}`} ${request?.body ?? ""}`.trim();
  };
  return { server, clock, client, last };
};

const caught = async (run: Promise<unknown>) => {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isCapstanError(error)) throw new Error(`no CapstanError but ${String(error)}`);
  return error;
};

describe("requests", () => {
  it("go to the right place with the right body", async () => {
    const { client, last, server } = await setup(() => ({ code: 200, body: widget() }));
    await client.get(Widget, key);
    expect(last()).toBe(`GET ${path}/a`);
    expect(server.requests.at(-1)?.headers).toMatchObject({ authorization: "Bearer t0k", "user-agent": "capstan" });
    await client.get(Namespace, { name: "x/y" });
    expect(last()).toBe("GET /api/v1/namespaces/x%2Fy");
    await client.create(Widget, widget(), { fieldManager: "me", dryRun: true });
    expect(last()).toBe(`POST ${path}?fieldManager=me&dryRun=All ${JSON.stringify(widget())}`);
    await client.update(Widget, widget(), { subresource: "status" });
    expect(last()).toBe(`PUT ${path}/a/status ${JSON.stringify(widget())}`);
    await client.delete(Widget, key, { propagationPolicy: "Background", preconditions: { uid: "u" } });
    expect(last()).toBe(
      `DELETE ${path}/a {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u"},"propagationPolicy":"Background"}`,
    );
    await client.request({
      method: "POST",
      path: "/api/v1/x/eviction",
      body: { a: 1 },
      query: { b: "2", c: undefined },
    });
    expect(last()).toBe('POST /api/v1/x/eviction?b=2 {"a":1}');
  });

  it("keep a path in front of the API", async () => {
    const { client, last } = await setup(() => ({ code: 200, body: {} }), { path: "/k8s/clusters/c-1/" });
    await client.request({ method: "GET", path: "/version" });
    expect(last()).toBe("GET /k8s/clusters/c-1/version");
  });

  it.each([
    ["merge", "application/merge-patch+json", ""],
    ["strategic", "application/strategic-merge-patch+json", ""],
    ["apply", "application/apply-patch+yaml", "?fieldManager=me&force=true"],
  ] as const)("send a %s patch as %s", async (type, contentType, query) => {
    const { client, last, server } = await setup(() => ({ code: 200, body: widget() }));
    const patch = type === "apply" ? { type, body: { spec: 1 }, force: true } : { type, body: { spec: 1 } };
    await client.patch(Widget, key, patch, type === "apply" ? { fieldManager: "me" } : {});
    expect(last()).toBe(`PATCH ${path}/a${query} {"spec":1}`);
    expect(server.requests.at(-1)?.headers["content-type"]).toBe(contentType);
  });

  it("send a JSON patch to a subresource", async () => {
    const { client, last, server } = await setup(() => ({ code: 200, body: widget() }));
    await client.patch(Widget, key, { type: "json", body: [{ op: "remove", path: "/x" }] }, { subresource: "scale" });
    expect(last()).toBe(`PATCH ${path}/a/scale [{"op":"remove","path":"/x"}]`);
    expect(server.requests.at(-1)?.headers["content-type"]).toBe("application/json-patch+json");
  });

  it("are refused when they cannot mean anything", async () => {
    const { client, server } = await setup(() => ({ code: 200 }));
    expect((await caught(client.get(Widget, { name: "a" }))).message).toContain("a namespace and a name are needed");
    expect((await caught(client.get(Namespace, { name: "" }))).code).toBe("kube.bad_request");
    const apply = client.patch(Widget, key, { type: "apply", body: {} });
    expect((await caught(apply)).message).toContain("fieldManager");
    expect(server.requests).toHaveLength(0);
  });
});

describe("lists", () => {
  it("follow the pages and name the type of every item", async () => {
    const pages: Record<string, unknown> = {
      "": { metadata: { resourceVersion: "7", continue: "p2" }, items: [{ metadata: { name: "a" } }] },
      p2: { metadata: { resourceVersion: "7", continue: "" }, items: [{ metadata: { name: "b" } }] },
    };
    const { client, server } = await setup(({ query }) => ({ code: 200, body: pages[query.get("continue") ?? ""] }));
    const list = await client.list(Widget, { labelSelector: "a=b", limit: 1, resourceVersion: "5" });
    expect(list.resourceVersion).toBe("7");
    expect(list.items).toEqual([
      { apiVersion: "conf.capstan.test/v1", kind: "Widget", metadata: { name: "a" } },
      { apiVersion: "conf.capstan.test/v1", kind: "Widget", metadata: { name: "b" } },
    ]);
    expect(server.requests.map(({ query }) => query.toString())).toEqual([
      "labelSelector=a%3Db&limit=1&resourceVersion=5",
      "labelSelector=a%3Db&limit=1&continue=p2",
    ]);
  });

  it("of metadata drop what else the server sends", async () => {
    const full = { ...widget({ uid: "u" }), data: { big: "x" } };
    const { client, server } = await setup(({ path: asked }) => ({
      code: 200,
      body: asked.endsWith("/a") ? full : { metadata: { resourceVersion: "7" }, items: [full] },
    }));
    expect(await findMetadata(client, Widget, key)).toEqual(widget({ uid: "u" }));
    expect(server.requests.at(-1)?.headers.accept).toContain("as=PartialObjectMetadata;g=meta.k8s.io");
    expect((await listMetadata(client, Widget)).items).toEqual([widget({ uid: "u" })]);
  });
});

const failure = (code: number, reason: string) => ({
  code,
  body: { kind: "Status", code, reason, message: `because ${reason}`, details: { causes: [{ field: "spec.x" }] } },
});

describe("errors", () => {
  it.each([
    [400, "BadRequest", "kube.bad_request"],
    [401, "Unauthorized", "kube.unauthorized"],
    [403, "Forbidden", "kube.forbidden"],
    [404, "NotFound", "kube.not_found"],
    [409, "Conflict", "kube.conflict"],
    [409, "AlreadyExists", "kube.already_exists"],
    [410, "Expired", "kube.gone"],
    [422, "Invalid", "kube.invalid"],
    [429, "TooManyRequests", "kube.too_many_requests"],
    [500, "InternalError", "kube.unknown"],
    [503, "ServiceUnavailable", "kube.unavailable"],
    [504, "Timeout", "kube.timeout"],
  ])("%i %s is %s", async (status, reason, code) => {
    const { client } = await setup(() => failure(status, reason));
    const error = await caught(client.get(Widget, key));
    expect(error).toMatchObject({
      code,
      details: { status, reason, causes: [{ field: "spec.x" }], call: `GET ${path}/a` },
    });
    const says = status === 401 || status === 404 ? `because ${reason} (GET ${path}/a)` : `because ${reason}`;
    expect(error.message).toBe(says);
  });

  it("do not name the request where the server names the object", async () => {
    const status = {
      kind: "Status",
      message: 'widgets "a" not found',
      reason: "NotFound",
      details: { name: "a", kind: "widgets" },
    };
    const { client } = await setup(() => ({ code: 404, body: status }));
    expect((await caught(client.get(Widget, key))).message).toBe('widgets "a" not found');
  });

  it("without a message name the request", async () => {
    const { client } = await setup(() => ({ code: 500, body: "" }));
    expect((await caught(client.get(Widget, key))).message).toBe(
      `the API server answered GET ${path}/a with 500, without a message`,
    );
  });

  it("say what a proxy said when the answer is not a Status", async () => {
    const { client } = await setup(() => ({
      code: 502,
      body: "<h1>Bad Gateway</h1>",
      headers: { "content-type": "text/html" },
    }));
    expect((await caught(client.get(Widget, key))).message).toContain("<h1>Bad Gateway</h1>");
    const other = await setup(() => ({ code: 200, body: "<html>" }));
    expect((await caught(other.client.get(Widget, key))).message).toContain("not JSON");
  });

  it("of a missing object are not errors for find and delete", async () => {
    const { client } = await setup(() => failure(404, "NotFound"));
    expect(await client.find(Widget, key)).toBeUndefined();
    await expect(client.delete(Widget, key)).resolves.toBeUndefined();
  });

  it("of a server that is not there name the address", async () => {
    const connection = connect({ url: "http://127.0.0.1:1", clock: fakeClock() });
    closing.push(() => connection.close());
    const error = await caught(createClient(connection).get(Widget, key));
    expect(error).toMatchObject({ code: "kube.unavailable", reason: "Unavailable" });
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("of a server that does not answer are timeouts", async () => {
    const { client } = await setup(() => "silence");
    expect((await caught(client.get(Widget, key, { timeoutMs: 20 }))).code).toBe("kube.timeout");
    expect((await caught(client.forward(key, 80, { timeoutMs: 20 }))).code).toBe("kube.timeout");
  });

  it("leave the caller's abort alone", async () => {
    const { client, server, clock } = await setup(() => "silence");
    const abort = new AbortController();
    const call = client.get(Widget, key, { signal: abort.signal });
    const outcome = expect(call).rejects.toThrow("enough");
    await clock.advanceUntil(() => server.requests.length === 1, { stepMs: 1 });
    abort.abort(new Error("enough"));
    await outcome;
  });
});

describe("retries", () => {
  it("repeat a read after a reset, but never a write", async () => {
    let resets = 0;
    const { client, server } = await setup(() => (resets++ < 2 ? "reset" : { code: 200, body: widget() }));
    await expect(client.get(Widget, key)).resolves.toEqual(widget());
    expect(server.requests).toHaveLength(3);
    resets = 0;
    expect((await caught(client.create(Widget, widget()))).code).toBe("kube.unavailable");
    expect(server.requests).toHaveLength(4);
  });

  it.each([429, 503])("wait as long as a %i asks, also for writes", async (code) => {
    let refusals = 0;
    const { client, server, clock } = await setup(() =>
      refusals++ < 2 ? { ...failure(code, "Slow"), headers: { "retry-after": "3" } } : { code: 201, body: widget() },
    );
    const started = clock.now();
    const created = client.create(Widget, widget());
    let done = false;
    void created.then(() => (done = true));
    await clock.advanceUntil(() => done);
    expect(clock.now() - started).toBeGreaterThanOrEqual(6_000);
    expect(server.requests).toHaveLength(3);
  });

  it("leave long waits to the caller", async () => {
    const { client } = await setup(() => ({ ...failure(429, "Slow"), headers: { "retry-after": "60" } }));
    const error = await caught(client.get(Widget, key));
    expect(error).toMatchObject({ code: "kube.too_many_requests", retry: { kind: "after", ms: 60_000 } });
  });

  it("renew the credentials once after a 401", async () => {
    const server = await jsonServer(({ headers }) =>
      headers.authorization === "Bearer 2" ? { code: 200, body: widget() } : failure(401, "Unauthorized"),
    );
    closing.push(() => server.stop());
    let given = 0;
    const token = async (): Promise<Secret<string>> => new Secret(String(++given));
    const connection = connect({ url: server.url, clock: fakeClock(), token });
    closing.push(() => connection.close());
    await expect(createClient(connection).get(Widget, key)).resolves.toEqual(widget());
    expect(server.requests).toHaveLength(2);
  });

  it("keep to the rate limit", async () => {
    const { client, server, clock } = await setup(() => ({ code: 200, body: widget() }), {
      limit: { perSecond: 10, burst: 5 },
    });
    const started = clock.now();
    let done = 0;
    for (let call = 0; call < 20; call++) void client.get(Widget, key).then(() => (done += 1));
    await clock.advanceUntil(() => done === 5, { stepMs: 1 });
    expect(server.requests.length).toBeLessThanOrEqual(6);
    // The last one may go after 1.5 s, and no sooner.
    const limitMs = 2_000 - (clock.now() - started);
    await clock.advanceUntil(() => done === 20, { maxMs: limitMs });
    expect(clock.now() - started).toBeGreaterThanOrEqual(1_500);
  });
});

describe("own writes", () => {
  it("are told to the observer, unless they changed nothing there", async () => {
    const seen: string[] = [];
    const observer: WriteObserver = {
      observe: (_resource, written) => seen.push(`wrote ${written.metadata.resourceVersion}`),
      observeDeleted: (_resource, { name }, uid) => seen.push(`deleted ${name} ${uid}`),
    };
    const answers: unknown[] = [
      widget({ resourceVersion: "1" }),
      widget({ resourceVersion: "2" }),
      { ...widget({ resourceVersion: "3" }), kind: "Scale" },
      widget({ resourceVersion: "4", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["f"] }),
      { kind: "Status", status: "Success", details: { uid: "u" } },
    ];
    const { client } = await setup(() => ({ code: 200, body: answers.shift() }), { observer });
    await client.create(Widget, widget());
    await client.patch(Widget, key, { type: "merge", body: {} }, { dryRun: true });
    await client.patch(Widget, key, { type: "merge", body: {} }, { subresource: "scale" });
    await client.delete(Widget, key);
    await client.delete(Widget, key);
    expect(seen).toEqual(["wrote 1", "wrote 4", "deleted a u"]);
  });
});
