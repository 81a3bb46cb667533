import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createLinodeClient, linodeOptions } from "@capstan/linode-client";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";

const now = systemClock.now();
const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json").end('{"email":"me@example.org"}');
});
let url: string;
let ca: string;

beforeAll(async () => {
  const authority = await createCertificateAuthority({ commonName: "private", now });
  const hosts = ["127.0.0.1"];
  const own = await issueCertificate(authority, { commonName: "api", hosts, usages: ["server"], validityDays: 1, now });
  ca = authority.certificate;
  server.setSecureContext({ cert: own.certificate, key: own.key });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("the client trusts a certificate that it is given, also by LINODE_CA, and no other", async () => {
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
});
