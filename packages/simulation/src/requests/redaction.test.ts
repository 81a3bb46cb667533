import { describe, expect, it } from "vitest";
import { redaction } from "./redaction.ts";

const redact = redaction(["password", "user_data", "sig"]);
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe("a body", () => {
  it("loses what is secret, however deep and in any letter case", () => {
    const body = { name: "web", Password: "p", metadata: { user_data: { a: 1 } }, list: [{ password: null, id: 1 }] };
    expect(redact.body(bytes(JSON.stringify(body)), "application/json")).toEqual({
      name: "web",
      Password: "[redacted]",
      metadata: { user_data: "[redacted]" },
      list: [{ password: "[redacted]", id: 1 }],
    });
  });

  it("is kept when it is a form", () => {
    const form = redact.body(bytes("name=web&password=a%26b"), "application/x-www-form-urlencoded; charset=utf-8");
    expect(form).toEqual({ name: "web", password: "[redacted]" });
  });

  it("of JSON is one under the type of a form too, which is what curl says unasked", () => {
    const body = '{"password":"a=b&c","name":"web"}';
    expect(redact.body(bytes(body), "application/x-www-form-urlencoded")).toEqual({
      name: "web",
      password: "[redacted]",
    });
  });

  it("is not kept as a form when it is none", () => {
    expect(redact.body(bytes('{"password":"a=b'), "application/x-www-form-urlencoded")).toBeUndefined();
  });

  it.each(["", "password=p", "{", '"p"', "7"])("is not kept when it cannot be searched: %j", (text) => {
    expect(redact.body(bytes(text), undefined)).toBeUndefined();
  });
});

it("a query loses what is secret", () => {
  expect(redact.query("name=a%20b&SIG=abc&s%69g=def&x")).toBe("name=a%20b&SIG=[redacted]&s%69g=[redacted]&x");
  expect(redact.query("")).toBe("");
});
