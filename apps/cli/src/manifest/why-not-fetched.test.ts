import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createCertificateAuthority } from "@capstan/pki";
import { afterEach, expect, it } from "vitest";
import { fetchText } from "./fetch-text.ts";
import { whyNotFetched } from "./why-not-fetched.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const hostOf = async (server: Server): Promise<string> => {
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Starts a server that sends this text to every client that has sent a request. */
const answering = (text: string) =>
  hostOf(
    createServer((socket) => {
      socket.on("error", () => undefined).once("data", () => socket.end(text));
    }),
  );

it("says of a certificate of one's own how it comes to be trusted", async () => {
  const { certificate, key } = await createCertificateAuthority({
    now: Date.now(),
    algorithm: "ECDSA-P256",
    commonName: "own",
  });
  const server = createTlsServer({ cert: certificate, key }).on("tlsClientError", () => undefined);
  const host = await hostOf(server);
  await expect(fetchText(`https://${host}/a.yaml`)).rejects.toThrow(
    `the certificate of ${host} is not trusted (self-signed certificate); set NODE_EXTRA_CA_CERTS to the file of its authority, or`,
  );
});

it("says what of a TLS connection fails without OpenSSL's own numbers", async () => {
  const host = await hostOf(createTlsServer().on("tlsClientError", () => undefined));
  await expect(fetchText(`https://${host}/a.yaml`)).rejects.toThrow(
    new RegExp(`^the TLS handshake with ${host} failed \\([a-z/0-9 ]*handshake failure\\)$`),
  );
});

it("says that a server does not speak TLS", async () => {
  const host = await answering("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
  await expect(fetchText(`https://${host}/a.yaml`)).rejects.toThrow(`${host} does not speak TLS`);
});

it("takes no half answer for a whole one", async () => {
  const host = await answering("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nkind: ConfigMap\n");
  await expect(fetchText(`http://${host}/a.yaml`)).rejects.toThrow(
    `${host} closed the connection before the response was complete`,
  );
});

it.each(["<!DOCTYPE html>\n<html><body>Log in</body></html>", " <html></html>"])(
  "takes no web page for a file: %s",
  async (page) => {
    const host = await answering(`HTTP/1.1 200 OK\r\ncontent-length: ${page.length}\r\n\r\n${page}`);
    await expect(fetchText(`http://${host}/a.yaml`)).rejects.toThrow("the server returned a web page");
  },
);

it("says that what was given is no URL", async () => {
  await expect(fetchText("https:///")).rejects.toThrow("this is not a URL");
});

it.each([
  ["TimeoutError", "", "127.0.0.1:1 did not complete its response within 30 s"],
  ["Error", "ENOTFOUND", "host 127.0.0.1 not found (why)"],
  ["Error", "EAI_AGAIN", "temporary DNS failure for 127.0.0.1 (why)"],
  ["Error", "UND_ERR_CONNECT_TIMEOUT", "127.0.0.1:1 does not answer"],
  ["Error", "ERR_TLS_CERT_ALTNAME_INVALID", "why"],
])("%s %s", (name, code, said) => {
  const error = Object.assign(new Error("why"), { name, code });
  expect(whyNotFetched(error, "https://127.0.0.1:1/a.yaml", 30_000)).toBe(said);
});
