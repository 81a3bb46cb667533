import { silentLogger } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { Refusal } from "../http/refusal.ts";
import type { ServiceRequest } from "../http/service.ts";
import { windowLimiter } from "../limits/rate-limit.ts";
import { type ApiDefinition, apiService } from "./api-service.ts";
import { reply } from "./reply.ts";
import { type Route, routing } from "./route.ts";
import { bytes, integer, list, object, readOnly, text } from "./shape.ts";

interface World {
  readonly asked: unknown[];
}

const route = routing<World>();

const routes: readonly Route<World>[] = [
  route({
    method: "PUT",
    path: "/groups/:group/servers/:name",
    query: { wait: integer },
    headers: ["If-Match"],
    body: object({ size: text(), id: readOnly(integer), disks: list(object({ gb: integer, path: readOnly(text()) })) }),
    handle: ({ params, query, body, headers, caller, serverUrl, fault }, { asked }) => {
      asked.push({ params, query, body, ifMatch: headers["if-match"], caller, fault });
      return reply(202, undefined, { location: `${serverUrl}/operations/1` });
    },
  }),
  route({ method: "GET", path: "/logs", handle: () => reply(200, "plain", { "content-type": "text/plain" }) }),
  route({ method: "GET", path: "/nothing", handle: () => undefined }),
  route({
    method: "PUT",
    path: "/raw",
    body: bytes,
    handle: ({ body }, { asked }) => void asked.push(Buffer.from(body).toString("hex")),
  }),
  route({
    method: "POST",
    path: "/token",
    isPublic: true,
    bodyType: "form",
    body: object({ grant_type: text({ enum: ["client_credentials"] }), client_secret: text() }, ["grant_type"]),
    handle: ({ body }, { asked }) => void asked.push(body),
  }),
  route({
    method: "GET",
    path: "/broken",
    handle: () => {
      throw new TypeError("a bug");
    },
  }),
];

const request = (method: string, url: string, { body = "", headers = {} } = {}): ServiceRequest => {
  const [path = "", query = ""] = url.split("?");
  const serverUrl = "https://localhost:1";
  return { method, path, query, headers, body: Buffer.from(body), serverUrl, client: "127.0.0.1" };
};

const create = (more: Partial<ApiDefinition<World>> = {}) => {
  const world: World = { asked: [] };
  let saves = 0;
  const errors: unknown[] = [];
  const log = { ...silentLogger, error: (_: string, fields?: object) => void errors.push(fields) };
  const save = (): Promise<void> => {
    saves += 1;
    return Promise.resolve();
  };
  const service = apiService<World>({
    routes,
    world,
    cloud: { clock: fakeClock(), log, save },
    wordRefusal: ({ message, code = "None" }) => ({ error: { code, message } }),
    ...more,
  });
  const call = async (...args: Parameters<typeof request>) => {
    const { status, headers, body, refusal } = await service.answer(request(...args));
    return { status, headers, body, violation: refusal?.violation };
  };
  return { service, world, call, saves: () => saves, errors };
};

const put = "/groups/g/servers/web";
const ifMatch = { headers: { "if-match": '"1"' } };

describe("an answer", () => {
  it("is what the handler replies, saved before it is sent", async () => {
    const { call, world, saves } = create();
    const answer = await call("PUT", `${put}?wait=5`, { body: '{"size":"small"}', ...ifMatch });
    expect(answer).toMatchObject({ status: 202, body: "", headers: { location: "https://localhost:1/operations/1" } });
    expect(world.asked).toEqual([
      {
        params: { group: "g", name: "web" },
        query: { wait: 5 },
        body: { size: "small" },
        ifMatch: '"1"',
        caller: "",
        fault: undefined,
      },
    ]);
    expect(saves()).toBe(1);
  });

  it("is made without the fields that clients send back as they read them", async () => {
    const { call, world } = create();
    const sent = { size: "small", id: 7, disks: [{ gb: 1, path: "/dev/sda" }] };
    expect(await call("PUT", put, { body: JSON.stringify(sent), ...ifMatch })).toMatchObject({ status: 202 });
    expect(world.asked).toMatchObject([{ body: { size: "small", disks: [{ gb: 1 }] } }]);
    expect(JSON.stringify(world.asked)).not.toContain("/dev/sda");
    const wrong = await call("PUT", put, { body: JSON.stringify({ id: "seven" }), ...ifMatch });
    expect(wrong).toMatchObject({ status: 400, violation: true });
  });

  it("may have bytes for a body, of any format", async () => {
    const { call, world } = create();
    expect(await call("PUT", "/raw", { body: "{\u0001" })).toMatchObject({ status: 200 });
    expect(world.asked).toEqual(["7b01"]);
  });

  it("may be another one, or none, for a version of the API", async () => {
    const variant: ApiDefinition<World>["variant"] = (found, { headers }) =>
      headers["version"] === "1" ? undefined : { ...found, handle: () => `${found.path} of version 2` };
    const { call } = create({ variant });
    expect(await call("GET", "/nothing")).toMatchObject({ status: 200, body: "/nothing of version 2" });
    const old = await call("GET", "/nothing", { headers: { version: "1" } });
    expect(old).toMatchObject({ status: 400, violation: true });
  });

  it("is text or JSON, and costs no save when nothing can have changed", async () => {
    const { call, saves } = create({ answerHeaders: () => ({ "x-request-id": "7" }) });
    expect(await call("GET", "/logs")).toMatchObject({
      body: "plain",
      headers: { "content-type": "text/plain", "x-request-id": "7" },
    });
    expect(await call("GET", "/nothing")).toMatchObject({
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(saves()).toBe(0);
  });

  it("to a fault in a handler is a 500 that says nothing, but the log does", async () => {
    const { call, errors } = create();
    expect(await call("GET", "/broken")).toMatchObject({
      status: 500,
      body: '{"error":{"code":"None","message":"Internal server error"}}',
    });
    expect(errors).toEqual([{ error: "TypeError: a bug" }]);
  });
});

describe("a request", () => {
  it.each([
    ["an unknown parameter", `${put}?now=1`, {}, "unknown query parameter now"],
    ["a parameter twice", `${put}?wait=1&wait=2`, {}, "the query parameter wait is given twice"],
    ["a parameter of a wrong type", `${put}?wait=long`, {}, "must be an integer"],
    ["a body that is not JSON", put, { body: "{" }, "the body is not JSON"],
    ["an unknown field", put, { body: '{"cpus":1}' }, "is not a field of this request"],
  ])("with %s is a violation", async (_name, url, more, message) => {
    const { call, world } = create();
    const answer = await call("PUT", url, more);
    expect(answer).toMatchObject({ status: 400, violation: true });
    expect(answer.body).toContain(message);
    expect(world.asked).toEqual([]);
  });

  it("may have special headers only where they are listed", async () => {
    const { call } = create({ headers: ["If-Match", "If-None-Match"] });
    expect(await call("PUT", put, ifMatch)).toMatchObject({ status: 202 });
    expect(await call("GET", "/logs", ifMatch)).toMatchObject({ status: 400, violation: true });
    expect(await call("PUT", put, { headers: { "if-none-match": "*" } })).toMatchObject({
      status: 400,
      violation: true,
    });
  });

  it("takes the parameters of the whole API, and none besides", async () => {
    const { call } = create({ query: { "api-version": text() } });
    expect(await call("GET", "/logs?api-version=1")).toMatchObject({ status: 200 });
    expect(await call("GET", "/logs?api-version=1&wait=2")).toMatchObject({ status: 400, violation: true });
  });

  it("may be a form", async () => {
    const { call, world } = create();
    await call("POST", "/token", { body: "grant_type=client_credentials&client_secret=a%2Bb" });
    expect(world.asked).toEqual([{ grant_type: "client_credentials", client_secret: "a+b" }]);
    expect(await call("POST", "/token", { body: "grant_type=password" })).toMatchObject({ violation: false });
  });
});

describe("what is particular to a vendor", () => {
  it("the caller is who admit says, or is refused", async () => {
    const { call, world } = create({
      admit: ({ headers, route: { isPublic }, params }) => {
        if (isPublic !== true && headers["authorization"] === undefined) {
          throw new Refusal(401, "who?", { code: "Unauthenticated", headers: { "www-authenticate": "Bearer" } });
        }
        return `somebody in ${params["group"]}`;
      },
    });
    expect(await call("PUT", put)).toMatchObject({
      status: 401,
      headers: { "www-authenticate": "Bearer" },
      body: '{"error":{"code":"Unauthenticated","message":"who?"}}',
    });
    await call("PUT", put, { headers: { authorization: "Bearer x" } });
    expect(world.asked).toMatchObject([{ caller: "somebody in g" }]);
  });

  it("every answer reports the budget, which runs out", async () => {
    const { call } = create({
      limiter: windowLimiter([{ family: "GET /logs", limit: 1, windowMs: 60_000 }]),
      budgetHeaders: ({ remaining }) => ({ "x-remaining": String(remaining) }),
    });
    expect(await call("GET", "/logs")).toMatchObject({ status: 200, headers: { "x-remaining": "0" } });
    expect(await call("GET", "/logs")).toMatchObject({
      status: 429,
      headers: { "x-remaining": "0", "retry-after": "60" },
      body: '{"error":{"code":"TooManyRequests","message":"Too many requests"}}',
    });
  });

  it("paths may have versions and any letter case", async () => {
    const { call, service } = create({ anyCase: true, pathOf: (path) => path.replace(/^\/v\d/, "") });
    expect(await call("PUT", "/v1/GROUPS/G/servers/web")).toMatchObject({ status: 202 });
    expect(service.describe(request("GET", "/v2/Logs"))).toMatchObject({ path: "/Logs", family: "GET /logs" });
  });

  it("refusals may change status and form", async () => {
    const { call, service } = create({ wordRefusal: ({ message }) => reply(418, `<${message}>`, { "x-odd": "yes" }) });
    expect(await call("GET", "/void")).toMatchObject({ status: 418, headers: { "x-odd": "yes" }, violation: true });
    expect(service.refuse(new Refusal(503, "down"))).toMatchObject({ status: 418, body: "<down>" });
  });

  it("faults of operations reach the handler", async () => {
    const { service, world } = create({ operations: true });
    const fault = { kind: "operation-vanishes" } as const;
    await service.answer(request("PUT", put), fault);
    expect(world.asked).toMatchObject([{ fault }]);
    expect(service.operations).toBe(true);
  });

  it("secrets are not described", () => {
    const { service } = create({ secrets: ["client_secret", "sig"] });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = "grant_type=client_credentials&client_secret=hush";
    expect(service.describe(request("POST", "/token?sig=abc", { body, headers }))).toEqual({
      path: "/token",
      family: "POST /token",
      query: "sig=[redacted]",
      body: { grant_type: "client_credentials", client_secret: "[redacted]" },
    });
  });
});
