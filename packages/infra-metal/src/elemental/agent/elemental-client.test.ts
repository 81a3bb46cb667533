import { expect, it } from "vitest";
import { ElementalClient, type ElementalClientOptions } from "./elemental-client.ts";

it("names the address at which something else than the Elemental API answers", async () => {
  const page = { status: 200, bytes: async () => Buffer.from("<html>sign in</html>") };
  const client = new ElementalClient({
    registration: { uri: "https://api.example/registrations/r", caCert: "", token: "t" },
    requests: { send: async () => page },
    signal: new AbortController().signal,
  } as unknown as ElementalClientOptions);
  await expect(client.registration()).rejects.toMatchObject({
    code: "elemental.api_refused",
    message: expect.stringMatching(/^https:\/\/api\.example\/registrations\/r answers no JSON.*registration\.uri/),
  });
});
