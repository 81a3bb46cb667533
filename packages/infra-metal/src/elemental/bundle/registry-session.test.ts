import { expect, it } from "vitest";
import type { HttpAnswer, Requests } from "../http/requests.ts";
import { imageReference } from "./image-reference.ts";
import { RegistrySession } from "./registry-session.ts";

const answer = (status: number, headers: Readonly<Record<string, string>>, text = ""): HttpAnswer => ({
  status,
  header: (name) => headers[name],
  body: (async function* () {
    yield Buffer.from(text);
  })(),
  bytes: async () => Buffer.from(text),
  discard: async () => undefined,
});

const asked: (readonly [url: string, authorization: string | undefined])[] = [];

const registryWith = (realm: string): Requests => ({
  send: async ({ headers = {}, url }) => {
    asked.push([url, headers["authorization"]]);
    if (url.startsWith(realm)) return answer(200, {}, '{"token":"t"}');
    if (headers["authorization"] === "Bearer t") return answer(200, {});
    return answer(401, { "www-authenticate": `Bearer realm="${realm}",service="r"` });
  },
  close: async () => undefined,
});

const open = (realm: string): Promise<HttpAnswer> => {
  asked.length = 0;
  const credentials = { username: "u", password: "p" };
  const options = { requests: registryWith(realm), signal: new AbortController().signal, credentials };
  const session = new RegistrySession(imageReference("registry.example/bundle:1.0"), options);
  return session.send({ url: session.url("manifests/1.0") });
};

it("sends its password for a token to a service with TLS, wherever that is", async () => {
  expect((await open("https://tokens.example/token")).status).toBe(200);
  expect(asked.map(([url, authorization]) => [new URL(url).host, authorization])).toEqual([
    ["registry.example", undefined],
    ["tokens.example", `Basic ${Buffer.from("u:p").toString("base64")}`],
    ["registry.example", "Bearer t"],
  ]);
});

it("sends its password to no service without TLS where the registry has it", async () => {
  await expect(open("http://tokens.example/token")).rejects.toMatchObject({
    code: "elemental.bundle_download_failed",
    message:
      "the registry registry.example gives its tokens at http://tokens.example, where passwords can be read on the way; make the bundle public",
  });
  expect(asked).toHaveLength(1);
});
