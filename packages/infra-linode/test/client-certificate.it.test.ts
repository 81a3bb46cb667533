import { once } from "node:events";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { createLinodeClient, linodeOptions } from "@capstan/linode-client";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";

const now = systemClock.now();
let url: string;
let ca: string;
const versions: string[] = [];
const sockets = new Set<Socket>();
let server: Http2SecureServer;

beforeAll(async () => {
  const authority = await createCertificateAuthority({ commonName: "private", now });
  const hosts = ["127.0.0.1"];
  const own = await issueCertificate(authority, { commonName: "api", hosts, usages: ["server"], validityDays: 1, now });
  ca = authority.certificate;
  server = createSecureServer({ cert: own.certificate, key: own.key, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    response.setHeader("content-type", "application/json");
    response.end('{"email":"me@example.org"}');
  });
  server.on("connection", (socket: Socket) => void sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

it("the client trusts a certificate that it is given, also by LINODE_CA, and no other, and speaks HTTP/1.1", async () => {
  const retry = { maxRetries: 0 };
  const strict = createLinodeClient({ url, retry });
  await expect(strict.account.get()).rejects.toMatchObject({ code: 2 });
  const env = { LINODE_URL: url, LINODE_CA: "/etc/linode-ca.pem" };
  for (const options of [{ url, ca }, linodeOptions({ env, caText: ca })]) {
    const client = createLinodeClient({ ...options, retry });
    expect((await client.account.get()).email).toBe("me@example.org");
    await client.close();
  }
  await strict.close();
  expect(versions).toEqual(["1.1", "1.1"]);
});
