import { once } from "node:events";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recentClock } from "@capstan/testing";
import type { ApiServer, LogLine } from "../src/index.ts";
import { type Api, createApi } from "./conformance/api.ts";
import { expectCode } from "./conformance/expectations.ts";
import { startServer } from "./embedded-server.ts";

const pods = "/api/v1/namespaces/default/pods";
const clock = recentClock();
const start = clock.now() - 150_000;
const timeOf = (ms: number): string => new Date(ms).toISOString();
const running = { running: { startedAt: timeOf(start) } };

const pod = (name: string, containers: readonly string[], nodeName?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: {
    ...(nodeName !== undefined && { nodeName }),
    containers: containers.map((container) => ({ name: container, image: "test" })),
    ...(name === "two" && { initContainers: [{ name: "prepare", image: "test" }] }),
  },
});

describe("pods/log", () => {
  let server: ApiServer;
  let api: Api;
  const written: LogLine[] = ["first", "second", "third"].map((line, index) => ({
    time: start + index * 60_000,
    text: line,
  }));

  const setState = async (name: string, containerStatuses: readonly object[]): Promise<void> => {
    const body = { status: { containerStatuses } };
    expectCode(await api.mergePatch(`${pods}/${name}/status`, body), 200);
  };

  beforeAll(async () => {
    server = await startServer({
      clock,
      readPodLog: async ({ metadata }, { name, previous }) => {
        if (metadata.name === "away") throw new Error("dial tcp 192.0.2.1:10250: i/o timeout");
        return previous ? [{ time: start, text: `${name} before` }] : [...written];
      },
    });
    api = createApi({
      url: server.url,
      caCertificate: server.caCertificate,
      tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
      carol: { certificate: "", key: "" },
    });
    await api.post("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "node" } });
    const all = [
      pod("one", ["main"], "node"),
      pod("two", ["left", "right"], "node"),
      pod("away", ["main"], "node"),
      pod("new", ["main"], "node"),
      pod("unbound", ["main"]),
    ];
    for (const each of all) expectCode(await api.post(pods, each), 201);
    const status = (name: string, state: object, lastState: object = {}) => ({
      name,
      image: "test",
      imageID: "",
      ready: true,
      restartCount: 0,
      state,
      lastState,
    });
    await setState("one", [status("main", running, { terminated: { exitCode: 1 } })]);
    await setState("two", [status("left", running), status("right", running)]);
    await setState("away", [status("main", running)]);
    await setState("new", [status("main", { waiting: { reason: "CreateContainerConfigError" } })]);
  });
  afterAll(async () => {
    await api.close();
    await server.stop();
  });

  it.each([
    { query: "", body: "first\nsecond\nthird\n" },
    { query: "?tailLines=1", body: "third\n" },
    { query: "?tailLines=0", body: "" },
    { query: "?tailLines=9", body: "first\nsecond\nthird\n" },
    { query: "?sinceSeconds=100", body: "second\nthird\n" },
    { query: `?sinceTime=${timeOf(start + 120_000)}`, body: "third\n" },
    { query: "?limitBytes=8", body: "first\nse" },
    { query: "?previous=true", body: "main before\n" },
    { query: "?tailLines=1&timestamps=true", body: `${timeOf(start + 120_000).replace("Z", "000000Z")} third\n` },
  ])("answers the lines that $query asks for", async ({ query, body }) => {
    const answer = await api.get(`${pods}/one/log${query}`);
    expect([answer.code, answer.text]).toEqual([200, body]);
  });

  it.each([
    { path: "one/log?tailLines=-1", code: 422, message: "tailLines: Invalid value: -1: must be greater than or equal" },
    { path: "one/log?limitBytes=0", code: 422, message: "limitBytes: Invalid value: 0: must be greater than 0" },
    { path: "one/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z", code: 422, message: "at most one of" },
    { path: "one/log?sinceTime=yesterday", code: 400, message: "must be RFC 3339" },
    { path: "one/log?container=other", code: 400, message: "container other is not valid for pod one" },
    {
      path: "two/log",
      code: 400,
      message:
        "a container name must be specified for pod two, choose one of: [left right] or one of the init containers: [prepare]",
    },
    { path: "two/log?container=left&previous=true", code: 400, message: 'container "left" in pod "two" not found' },
    {
      path: "new/log",
      code: 400,
      message: 'container "main" in pod "new" is waiting to start: CreateContainerConfigError',
    },
    { path: "away/log", code: 500, message: "dial tcp 192.0.2.1:10250: i/o timeout" },
    { path: "none/log", code: 404, message: 'pods "none" not found' },
  ])("refuses $path", async ({ path, code, message }) => {
    const answer = await api.get(`${pods}/${path}`);
    expect(answer.code).toBe(code);
    expect(answer.text).toContain(JSON.stringify(message).slice(1, -1));
  });

  it("answers nothing for a Pod without a Node", async () => {
    const answer = await api.get(`${pods}/unbound/log`);
    expect([answer.code, answer.text]).toEqual([200, ""]);
  });

  it("follows a log until the Pod is deleted", async () => {
    const sent = httpsRequest(new URL(`${pods}/two/log?container=left&follow=true&tailLines=1`, server.url), {
      headers: { authorization: "Bearer token-admin" },
      ca: server.caCertificate,
      agent: false,
    }).end();
    const [answer] = await once(sent, "response");
    await once(answer, "readable");
    written.push({ time: start + 140_000, text: "fourth" });
    expectCode(await api.mergePatch(`${pods}/two`, { metadata: { labels: { a: "b" } } }), 200);
    expectCode(await api.delete(`${pods}/two?gracePeriodSeconds=0`), 200);
    expect(await text(answer)).toBe("third\nfourth\n");
  });

  it("says why no command runs in a container", async () => {
    const answer = await api.post(`${pods}/one/exec?command=ls`, {});
    expect([answer.code, answer.text]).toEqual([501, expect.stringContaining("run no processes")]);
  });
});
