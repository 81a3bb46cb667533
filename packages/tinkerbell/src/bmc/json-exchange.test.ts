import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { jsonExchange } from "./json-exchange.ts";

const part = Buffer.alloc(65_536, "[");
const server = createServer((request, response) => {
  if (request.url === "/short") return response.end('{"a":1}');
  const more = (): void => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once("drain", more);
  };
  return more();
});
let url = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("reads no answer that does not end, and the next one as usual", async () => {
  const stop = new AbortController();
  const exchange = jsonExchange({ signal: stop.signal, insecureTls: false, ca: [] });
  await expect(exchange.send({ method: "GET", url: `${url}/endless` })).rejects.toThrow(/size/i);
  expect((await exchange.send({ method: "GET", url: `${url}/short` })).body).toEqual({ a: 1 });
  await exchange.close();
});
