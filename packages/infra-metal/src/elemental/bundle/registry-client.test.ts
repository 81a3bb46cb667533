import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { HttpAnswer, Requests } from "../http/requests.ts";
import { imageReference } from "./image-reference.ts";
import { registrySource } from "./registry-client.ts";

const answer = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status,
  header: (name) => headers[name],
  body: Readable.from([Buffer.from(text)]),
  bytes: async () => Buffer.from(text),
  discard: async () => undefined,
});

/** A registry that wants a token, which everybody gets in an answer of that text. */
const registryWith = (token: string): Requests => ({
  send: async ({ headers = {}, url }) => {
    if (url.startsWith("https://auth.example/")) return answer(200, token);
    if (headers["authorization"] === "Bearer everybody") return answer(200, "{}");
    return answer(401, "", { "www-authenticate": 'Bearer realm="https://auth.example/token",service="r"' });
  },
  close: async () => undefined,
});

const read = (token: string) =>
  registrySource(
    imageReference("registry.example/bundle:1.0"),
    registryWith(token),
    new AbortController().signal,
  ).document("1.0");

it.each(['{"token":"everybody"}', '{"access_token":"everybody"}'])("reads with the token of %s", async (text) => {
  expect(await read(text)).toEqual(Buffer.from("{}"));
});

it.each(["<html>", "null", "{}", '{"token":5}'])("names the registry that gives no token but %s", async (text) => {
  await expect(read(text)).rejects.toMatchObject({
    code: "elemental.bundle_download_failed",
    message: "the registry registry.example gives no token; make the bundle public",
  });
});

it("names what the registry sends on to no URL", async () => {
  const requests: Requests = {
    send: async () => answer(307, "", { location: "https://:0:0" }),
    close: async () => undefined,
  };
  const source = registrySource(imageReference("registry.example/bundle:1.0"), requests, new AbortController().signal);
  await expect(source.document("1.0")).rejects.toMatchObject({
    code: "elemental.bundle_download_failed",
    message: "the registry sends GET https://registry.example/v2/bundle/manifests/1.0 on to what is no URL",
  });
});
