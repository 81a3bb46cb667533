import { request } from "node:https";
import { Secret } from "@capstan/contract";
import { type Client, connect, createCache, type RawRequest } from "@capstan/kube";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { fakeClock, recentClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { createManager, healthServer, tokenAccess } from "../src/index.ts";
import { createWebhookServer, type ServingCertificate } from "../src/webhook.ts";

/** An API server that knows two tokens: `reader`, who may read metrics, and `nobody`, who may not. */
const reviewer = (asked: string[]): Client =>
  ({
    request: async ({ path, body }: RawRequest) => {
      asked.push(path);
      const { spec } = body as {
        readonly spec: { readonly token?: string; readonly user?: string; readonly nonResourceAttributes?: object };
      };
      if (path.endsWith("/tokenreviews")) {
        const username = spec.token ?? "";
        return {
          status: { authenticated: ["reader", "nobody"].includes(username), user: { username, groups: ["g"] } },
        };
      }
      expect(spec.nonResourceAttributes).toEqual({ path: "/metrics", verb: "get" });
      return { status: { allowed: spec.user === "reader" } };
    },
  }) as Partial<Client> as Client;

it("asks the API server who may read metrics, and remembers the answer for a minute", async () => {
  const clock = fakeClock();
  const asked: string[] = [];
  const access = tokenAccess(reviewer(asked), clock);
  const as = (authorization: string | undefined) => access({ path: "/metrics", authorization });
  expect(await as(undefined)).toBe("unauthenticated");
  expect(await as("Basic cmVhZGVy")).toBe("unauthenticated");
  expect(asked).toEqual([]);
  expect(await as("Bearer stranger")).toBe("unauthenticated");
  expect(await as("Bearer nobody")).toBe("forbidden");
  expect(await as("Bearer reader")).toBe("allowed");
  expect(asked).toHaveLength(5);
  expect(await as("bearer reader")).toBe("allowed");
  expect(asked).toHaveLength(5);
  await clock.advance(60_001);
  expect(await as("Bearer reader")).toBe("allowed");
  expect(asked).toHaveLength(7);
});

it("is ready once its webhooks are served, and not before", async () => {
  const clock = recentClock();
  const cache = createCache({ connection: connect({ url: "http://127.0.0.1:1", clock }), random: seededRandom() });
  const manager = createManager({ client: reviewer([]), cache, clock });
  const authority = await createCertificateAuthority({ now: clock.now(), algorithm: "ECDSA-P256" });
  const given = Promise.withResolvers<ServingCertificate>();
  const options = { host: "127.0.0.1", port: 0, certificate: () => given.promise, clock, metrics: manager.metrics };
  const server = createWebhookServer(options);
  manager.addRunnable(server);
  const abort = new AbortController();
  const run = manager.run({ signal: abort.signal });
  await clock.settle();
  expect(manager.synced).toBe(false);
  given.resolve({ certificate: authority.certificate, key: new Secret(authority.key) });
  await manager.ready();
  expect(manager.synced).toBe(true);
  expect(server.port).not.toBe(0);
  abort.abort();
  await run;
});

it("serves over TLS: probes for everybody, metrics for whom it is told to", async () => {
  const clock = recentClock();
  const client = reviewer([]);
  const validity = { now: clock.now(), algorithm: "ECDSA-P256" as const };
  const authority = await createCertificateAuthority(validity);
  const { certificate, key } = await issueCertificate(authority, {
    ...validity,
    commonName: "diagnostics",
    hosts: ["127.0.0.1"],
    usages: ["server"],
  });
  const manager = createManager({
    client,
    cache: createCache({ connection: connect({ url: "http://127.0.0.1:1", clock }), random: seededRandom() }),
    clock,
  });
  const health = healthServer(manager, {
    host: "127.0.0.1",
    port: 0,
    certificate: async () => ({ certificate, key: new Secret(key) }),
    access: tokenAccess(client, clock),
  });
  const abort = new AbortController();
  const run = health.run({ signal: abort.signal });
  await expect.poll(() => health.port).not.toBe(0);
  const get = (path: string, token?: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      request({ host: "127.0.0.1", port: health.port, path, headers, ca: authority.certificate }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      })
        .on("error", reject)
        .end();
    });
  expect(await get("/healthz")).toBe(200);
  expect(await get("/readyz")).toBe(503);
  expect(await get("/metrics")).toBe(401);
  expect(await get("/metrics", "nobody")).toBe(403);
  expect(await get("/metrics", "reader")).toBe(200);
  abort.abort();
  await run;
});
