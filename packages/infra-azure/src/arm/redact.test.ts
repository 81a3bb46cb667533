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
  [
    '{"protectedSettings":{"a":{"b":{"password":"x"}},"c":"d"},"name":"kept"}',
    '{"protectedSettings":"[redacted]","name":"kept"}',
  ],
  ['{"access_token":"abc","clientSecret": "x"}', '{"access_token":"[redacted]","clientSecret": "[redacted]"}'],
  [`Custom data '${"QUJD".repeat(60)}=' is too long`, "Custom data '[redacted]' is too long"],
])("takes secrets out of %s", (text, expected) => {
  expect(redacted(text)).toBe(expected);
});

it("leaves resource IDs alone", () => {
  const id = "/subscriptions/0000/resourceGroups/demo/providers/Microsoft.Network/networkInterfaces/demo-nic";
  expect(redacted(`cannot find ${id}`)).toBe(`cannot find ${id}`);
  const long = `/subscriptions/0000/resourceGroups/${"g".repeat(90)}/providers/Microsoft.Network/networkInterfaces/${"n".repeat(80)}`;
  expect(redacted(long)).toBe(long);
});
