import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { httpRequests } from "../http/requests.ts";
import { ElementalClient } from "./elemental-client.ts";

it("names the address at which something else than the Elemental API answers", async () => {
  const server = createServer((_, response) => response.end("<html>sign in</html>"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/registrations/r`;
  const requests = httpRequests();
  try {
    const client = new ElementalClient({
      registration: { uri, caCert: "", token: "t" },
      // The host is not registered yet.
      identity: { publicKey: "", token: () => Promise.reject(new Error("no token is asked for")) },
      requests,
      clock: fakeClock(),
      signal: new AbortController().signal,
    });
    await expect(client.registration()).rejects.toMatchObject({
      code: "elemental.api_refused",
      message: expect.stringMatching(`^${uri} answers no JSON.*registration\\.uri`) as unknown,
    });
  } finally {
    await requests.close();
    await new Promise((resolve) => server.close(resolve));
  }
});
