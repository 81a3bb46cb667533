import { expect, it } from "vitest";
import { redacted } from "./redact.ts";

it.each([
  [
    "see https://x.blob.core.windows.net/a/b?sv=1&sig=abc now",
    "see https://x.blob.core.windows.net/a/b?[redacted] now",
  ],
  ["sent client_secret=hunter2&x=1", "sent client_secret=[redacted]&x=1"],
  ["Bearer abcdefgh.ijkl", "Bearer [redacted]"],
  ["token eyJhbGciOi.eyJzdWIi.sig9", "token [redacted]"],
  ['{"customData":"I2Nsb3Vk\\"x","a":1}', '{"customData":"[redacted]","a":1}'],
  ['{"protectedSettings":{"commandToExecute":"rm"},"a":1}', '{"protectedSettings":"[redacted]","a":1}'],
])("takes secrets out of %s", (text, expected) => {
  expect(redacted(text)).toBe(expected);
});

it("leaves resource IDs alone", () => {
  const id = "/subscriptions/0000/resourceGroups/demo/providers/Microsoft.Network/networkInterfaces/demo-nic";
  expect(redacted(`cannot find ${id}`)).toBe(`cannot find ${id}`);
});
