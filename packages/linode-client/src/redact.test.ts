import { expect, it } from "vitest";
import { redactBody, redactHeaders } from "./redact.ts";

it.each([
  "card_number",
  "checkout_token",
  "cvv",
  "password",
  "private_key",
  "root_pass",
  "secret",
  "secret_key",
  "ssl_key",
  "stackscript_data",
  "token",
  "upload_to",
  "user_data",
])("hides %s at any depth", (name) => {
  expect(redactBody({ label: "a", list: [{ [name]: "hidden-value" }] })).toEqual({
    label: "a",
    list: [{ [name]: "[redacted]" }],
  });
});

it("hides URLs that are signed, and no others", () => {
  const url = "https://us-ord-1.linodeobjects.com/data/a?X-Amz-Expires=60&X-Amz-Signature=abc";
  expect(redactBody({ url, plain: "https://example.org/?page=1" })).toEqual({
    url: "[redacted]",
    plain: "https://example.org/?page=1",
  });
});

it("hides the token, in any letter case", () => {
  expect(redactHeaders({ Authorization: "Bearer x", accept: "*/*" })).toEqual({
    Authorization: "[redacted]",
    accept: "*/*",
  });
});
