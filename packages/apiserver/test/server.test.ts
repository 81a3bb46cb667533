import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { connect as openTls } from "node:tls";
import { gunzipSync } from "node:zlib";
import {
  createCertificateAuthority,
  createServiceAccountKeys,
  issueCertificate,
  parseKubeconfig,
  readPublicKey,
} from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { fakeClock } from "@capstan/testing";
import { jwtVerify } from "jose";
import { Agent, request } from "undici";
import { describe, expect, it } from "vitest";
import { type ApiServer, type ApiServerOptions, createApiServer } from "../src/index.ts";
import { type Api, createApi, type Target } from "./conformance/api.ts";
import { expectCode, expectStatus } from "./conformance/expectations.ts";
import { configMap, configMaps, coreApi } from "./conformance/objects.ts";
import { startServer } from "./embedded-server.ts";

const targetOf = ({ url, caCertificate }: Pick<ApiServer, "url" | "caCertificate">): Target => ({
  url,
  caCertificate,
  tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
  carol: { certificate: "", key: "" },
});

const withServer = async (
  options: Partial<ApiServerOptions>,
  use: (api: Api, server: ApiServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer(options);
  const api = createApi(targetOf(server));
  try {
    await use(api, server);
  } finally {
    await api.close();
    await server.stop();
  }
};

describe("starting and stopping", () => {
  it("says that a port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, "127.0.0.1", resolve);
    });
    const { port } = other.address() as AddressInfo;
    await expect(startServer({ port })).rejects.toMatchObject({
      code: "apiserver.port_taken",
      message: expect.stringContaining(String(port)) as string,
    });
    other.close();
  });

  it("gives Services addresses of IPv6 where it has such a range, and takes those that are asked for in it", () =>
    withServer({ serviceClusterIPRange: "fd00::/108" }, async (api) => {
      const path = "/api/v1/namespaces/default/services";
      const own = await api.get(`${path}/kubernetes`);
      expect(own.body).toMatchObject({ spec: { clusterIP: "fd00::1", ipFamilies: ["IPv6"] } });
      const service = (name: string, spec: object = {}) => ({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name },
        spec: { ports: [{ port: 80 }], ...spec },
      });
      const given = await api.post(path, service("given"));
      expect(given.body).toMatchObject({
        spec: { clusterIP: expect.stringMatching(/^fd00::[0-9a-f]+$/) as string, ipFamilyPolicy: "SingleStack" },
      });
      expectCode(await api.post(path, service("asked", { clusterIP: "fd00::beef" })), 201);
      expectStatus(await api.post(path, service("outside", { clusterIP: "fd01::1" })), 422, { reason: "Invalid" });
      expectStatus(await api.post(path, service("old", { ipFamilies: ["IPv4"] })), 422, { reason: "Invalid" });
    }));

  it("knows its address only while it runs", async () => {
    const server = createApiServer({ clock: systemClock, random: cryptoRandom });
    expect(() => server.url).toThrow(expect.objectContaining({ code: "apiserver.not_started" }));
    await server.start();
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    await server.stop();
    expect(() => server.url).toThrow(expect.objectContaining({ code: "apiserver.not_started" }));
  });

  it("is reached after years in which it ran", async () => {
    const clock = fakeClock({ now: systemClock.now() - 3 * 365 * 86_400_000 });
    await withServer({ clock }, async (api) => expectCode(await api.get("/readyz"), 200));
  });

  it("ends watches and idle connections when it stops", async () => {
    const server = await startServer({ stopTimeoutMs: 3_600_000 });
    const api = createApi(targetOf(server));
    const watch = await api.watch(`${coreApi}/namespaces`);
    await watch.next();
    const silent = openTls({ port: Number(new URL(server.url).port), ca: server.caCertificate, host: "127.0.0.1" });
    await once(silent, "secureConnect");
    // What the server has not read when it closes the connection makes that a reset.
    silent.on("error", () => undefined);
    await server.stop();
    silent.destroy();
    await watch.rest();
    await api.close();
  });

  it("runs beside others", async () => {
    await withServer({}, async (first) => {
      await withServer({}, async (second, server) => {
        expectCode(await first.post(configMaps("default"), configMap("only-here")), 201);
        expectCode(await second.get(`${configMaps("default")}/only-here`), 404);
        expect(server.caCertificate).toContain("BEGIN CERTIFICATE");
      });
      expectCode(await first.get(`${configMaps("default")}/only-here`), 200);
    });
  });

  it("gives out an admin's kubeconfig", async () => {
    await withServer({}, async (_api, server) => {
      const config = parseKubeconfig(await server.adminKubeconfig());
      const connect = { ca: server.caCertificate, cert: config.clientCertificate ?? "", key: config.clientKey ?? "" };
      const dispatcher = new Agent({ connect });
      const answer = await request(`${config.server}${coreApi}/secrets`, { dispatcher });
      expect(answer.statusCode).toBe(200);
      await answer.body.dump();
      await dispatcher.close();
    });
  });
});

describe("given certificates and keys", () => {
  const now = systemClock.now();

  it("serves with them", async () => {
    const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
    const serving = await issueCertificate(authority, {
      now,
      commonName: "kube-apiserver",
      hosts: ["127.0.0.1"],
      usages: ["server"],
      algorithm: "ECDSA-P256",
    });
    const tls = { ...serving, clientCA: authority.certificate };
    await withServer({ tls }, async (api, server) => {
      expectCode(await api.get("/readyz"), 200);
      await expect(server.adminKubeconfig()).rejects.toMatchObject({ code: "apiserver.no_authority" });
    });
  });

  /** What users of the group system:masters with this certificate are answered, one code for each request on a connection. */
  const codes = async (
    server: ApiServer,
    client: { readonly certificate: string; readonly key: string },
    between: readonly (() => Promise<void>)[] = [],
  ): Promise<readonly number[]> => {
    const connect = { ca: server.caCertificate, cert: client.certificate, key: client.key };
    const dispatcher = new Agent({ connect, connections: 1 });
    const found: number[] = [];
    for (const step of [() => Promise.resolve(), ...between]) {
      await step();
      const answer = await request(`${server.url}${coreApi}/namespaces`, { dispatcher });
      found.push(answer.statusCode);
      await answer.body.dump();
    }
    await dispatcher.close();
    return found;
  };

  const administrator = { commonName: "x", organizations: ["system:masters"], usages: ["client"] } as const;
  const day = 86_400_000;

  it.each([
    ["of another authority", { own: false, now, validityDays: 1 }, 401],
    ["that has expired", { own: true, now: now - 2 * day, validityDays: 1 }, 401],
    ["that is not valid yet", { own: true, now: now + day, validityDays: 1 }, 401],
    ["that is valid", { own: true, now, validityDays: 1 }, 200],
  ] as const)("answers to a client certificate %s", async (_title, { own, ...validity }, code) => {
    // Its own validity has begun before that of any certificate of it.
    const [authority, other] = await Promise.all([
      createCertificateAuthority({ now: now - 10 * day, algorithm: "ECDSA-P256" }),
      createCertificateAuthority({ now: now - 10 * day, algorithm: "ECDSA-P256" }),
    ]);
    const client = await issueCertificate(own ? authority : other, { ...administrator, ...validity });
    await withServer({ certificateAuthority: authority }, async (_api, server) => {
      expect(await codes(server, client)).toEqual([code]);
    });
  });

  it("refuses a client certificate that expires while its connection is open", async () => {
    const clock = fakeClock({ now });
    const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
    const client = await issueCertificate(authority, { ...administrator, now, validityDays: 1 });
    await withServer({ certificateAuthority: authority, clock }, async (_api, server) => {
      const later = (ms: number) => () => clock.advance(ms);
      expect(await codes(server, client, [later(day - 10_000), later(20_000)])).toEqual([200, 200, 401]);
    });
  });

  it.each(["RSA-2048", "ECDSA-P256"] as const)("signs tokens with them (%s)", async (algorithm) => {
    const keys = await createServiceAccountKeys(algorithm);
    const issuer = "https://issuer.example";
    await withServer({ serviceAccount: { keys, issuer } }, async (api) => {
      const accounts = `${coreApi}/namespaces/default/serviceaccounts`;
      await api.post(accounts, { metadata: { name: "robot" } });
      const { body } = await api.post(`${accounts}/robot/token`, { spec: { audiences: ["a", issuer] } });
      const { payload } = await jwtVerify(body.status.token as string, readPublicKey(keys.publicKey), {
        issuer,
        audience: "a",
      });
      expect(payload.sub).toBe("system:serviceaccount:default:robot");
      const self = await api.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { as: body.status.token });
      expect(self.body.status.userInfo.username).toBe("system:serviceaccount:default:robot");
      const jwks = await api.get("/openid/v1/jwks");
      expect(jwks.body.keys).toHaveLength(1);
      expect(jwks.text).not.toContain('"d"');
    });
  });
});

describe("limits", () => {
  it("keeps to the size of bodies, also without a length", async () => {
    await withServer({}, async (_api, server) => {
      const dispatcher = new Agent({ connect: { ca: server.caCertificate } });
      const answer = await request(`${server.url}${configMaps("default")}`, {
        method: "POST",
        dispatcher,
        headers: { authorization: "Bearer token-admin", "content-type": "application/json" },
        body: Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000, "a"))),
      });
      expect(answer.statusCode).toBe(413);
      expect(await answer.body.json()).toMatchObject({ reason: "RequestEntityTooLarge" });
      await dispatcher.close();
    });
  });

  it("refuses bodies nested too deeply and patches that are too long", async () => {
    await withServer({}, async (api) => {
      const deep = `{"metadata":{"name":"x"},"data":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
      expectStatus(await api.post(configMaps("default"), deep), 400, { reason: "BadRequest" });
      await api.post(configMaps("default"), configMap("a"));
      const operations = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/data", value: null }));
      expectStatus(await api.jsonPatch(`${configMaps("default")}/a`, operations), 413, {
        reason: "RequestEntityTooLarge",
      });
      const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from("bcdefgh", (name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefgh"[index]}`).join(",")}]`).join("\n")}\n`;
      expectStatus(await api.post(configMaps("default"), bomb, { type: "application/yaml" }), 400);
    });
  });

  it("compresses large answers for those who can read that", async () => {
    await withServer({}, async (api, server) => {
      await api.post(configMaps("default"), configMap("large", { text: "x".repeat(200_000) }));
      const dispatcher = new Agent({ connect: { ca: server.caCertificate } });
      const get = (path: string) =>
        request(`${server.url}${path}`, {
          dispatcher,
          headers: { authorization: "Bearer token-admin", "accept-encoding": "gzip" },
        });
      const large = await get(`${configMaps("default")}/large`);
      expect(large.headers["content-encoding"]).toBe("gzip");
      expect(JSON.parse(gunzipSync(await large.body.bytes()).toString())).toMatchObject({ kind: "ConfigMap" });
      const small = await get(`${coreApi}/namespaces/default`);
      expect(small.headers["content-encoding"]).toBeUndefined();
      await small.body.dump();
      await dispatcher.close();
    });
  });
});
