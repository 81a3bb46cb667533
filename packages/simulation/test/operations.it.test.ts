import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeClock, recentClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { createOperationsCloud, type OperationsCloud } from "./operations-cloud.ts";

interface Answer {
  readonly status: number | undefined;
  readonly operation: string;
  readonly body: unknown;
}

interface Call {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = (ca: string | undefined, method: string, url: string, { body, headers = {} }: Call): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ca, family: 4, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { operation = "" } = response.headers;
        resolve({
          status: response.statusCode,
          operation: String(operation),
          body: JSON.parse(Buffer.concat(chunks).toString()),
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });

let running: OperationsCloud | undefined;
let folder: string | undefined;
afterEach(async () => {
  await running?.cloud.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
  running = undefined;
  folder = undefined;
});

const start = async (options: { readonly clock?: FakeClock; readonly file?: string } = {}) => {
  const clock = options.clock ?? recentClock();
  running = await createOperationsCloud({ random: seededRandom(process.pid), ...options, clock });
  const { cloud, api, login } = running;
  await cloud.start();
  const call = (method: string, path: string, { headers = {}, ...more }: Call = {}) => {
    const url = new URL(path, api.url);
    url.searchParams.set("api-version", "2026-01-01");
    const authorization = { authorization: "Bearer token" };
    return send(cloud.certificateAuthority, method, url.href, { ...more, headers: { ...authorization, ...headers } });
  };
  return { cloud, api, login, clock, call };
};

const put = { body: '{"properties":{"gb":10}}' };

it("has a login beside the API, over HTTPS", async () => {
  const { cloud, api, login } = await start();
  const body = "client_secret=secret";
  const answer = await send(cloud.certificateAuthority, "POST", `${api.url}/tenant/token`, { body });
  expect(answer).toMatchObject({ status: 200, body: { access_token: "token" } });
  expect(await send(cloud.certificateAuthority, "GET", `${api.url}/groups/g/disks/d`, {})).toMatchObject({
    status: 401,
  });
  expect(login.requests.log.map(({ path }) => path)).toEqual(["/tenant/token"]);
  expect(api.requests.log.map(({ path }) => path)).toEqual(["/groups/g/disks/d"]);
});

it("finishes operations after their answers, also over a restart", async () => {
  folder = await mkdtemp(join(tmpdir(), "operations-"));
  const file = join(folder, "state.json");
  const clock = recentClock();
  const first = await start({ clock, file });
  const created = await first.call("PUT", "/groups/g/disks/d", put);
  expect(created).toMatchObject({ status: 201, body: { state: "Updating" } });
  expect(created.operation).toContain(`${first.api.url}/operations/`);
  const { pathname } = new URL(created.operation);
  await clock.advance(3000);
  expect((await first.call("GET", pathname)).body).toEqual({ status: "InProgress" });
  await first.cloud.stop();
  const second = await start({ clock, file });
  expect((await second.call("GET", pathname)).body).toEqual({ status: "InProgress" });
  await clock.advance(2000);
  expect((await second.call("GET", pathname)).body).toEqual({ status: "Succeeded" });
  expect((await second.call("GET", "/GROUPS/G/Disks/D")).body).toMatchObject({ state: "Succeeded" });
});

it("lets operations fail and vanish as planned", async () => {
  const { api, clock, call } = await start();
  api.faults.add({ method: "PUT", path: /disks\/bad$/, action: { kind: "operation-failed", code: "Quota" } });
  api.faults.add({ method: "PUT", path: /disks\/lost$/, action: { kind: "operation-vanishes" } });
  const bad = await call("PUT", "/groups/g/disks/bad", put);
  const lost = await call("PUT", "/groups/g/disks/lost", put);
  await clock.advance(5000);
  expect((await call("GET", new URL(bad.operation).pathname)).body).toEqual({ status: "Failed", code: "Quota" });
  expect((await call("GET", "/groups/g/disks/bad")).body).toMatchObject({ state: "Failed" });
  expect(await call("GET", new URL(lost.operation).pathname)).toMatchObject({ status: 404 });
});

it("minds etags, and logs them", async () => {
  const { api, call } = await start();
  const { body } = await call("PUT", "/groups/g/disks/d", put);
  const { etag } = body as { readonly etag: string };
  const headers = { "if-match": etag };
  expect(await call("PUT", "/groups/g/disks/d", { ...put, headers })).toMatchObject({ status: 200 });
  expect(await call("PUT", "/groups/g/disks/d", { ...put, headers })).toMatchObject({ status: 412 });
  expect(api.requests.log.map(({ ifMatch, status }) => [ifMatch, status])).toEqual([
    [undefined, 201],
    [etag, 200],
    [etag, 412],
  ]);
  expect(await call("GET", "/groups/g/disks/d", { headers })).toMatchObject({ status: 400 });
  expect(api.requests.violations).toHaveLength(1);
});
