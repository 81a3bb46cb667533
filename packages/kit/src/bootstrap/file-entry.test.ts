import { gunzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { looksLikeJinja } from "../userdata/jinja.ts";
import { encodedFile, exactFile, rootFile, withFinalNewline } from "./file-entry.ts";

const file = { path: "/x", permissions: "0600" };

describe("encodedFile", () => {
  it.each(["{{ not for Jinja }}\r\n\r\n", "", Uint8Array.of(0, 255, 10)])("keeps %j byte for byte", (content) => {
    const bytes = new Uint8Array(Buffer.from(content));
    const plain = encodedFile(file, content, "base64");
    expect(plain).toMatchObject({ ...file, encoding: "base64" });
    expect(new Uint8Array(Buffer.from(plain.content ?? "", "base64"))).toEqual(bytes);
    const packed = encodedFile(file, content, "gzip+base64");
    expect(packed).toMatchObject({ ...file, encoding: "gzip+base64" });
    expect(new Uint8Array(gunzipSync(Buffer.from(packed.content ?? "", "base64")))).toEqual(bytes);
  });

  it("gives the same text for the same content", () => {
    const once = encodedFile(file, "x".repeat(1000), "gzip+base64");
    expect(encodedFile(file, "x".repeat(1000), "gzip+base64")).toEqual(once);
    expect(once.content?.length).toBeLessThan(100);
  });
});

it.each([
  ["{{ ds.meta_data.label }}", true],
  ["echo ${#array[@]}", true],
  ["{% if x %}", true],
  ["{ a: { b: 1 } }", false],
  ["${name}", false],
])("looksLikeJinja says of %j %s", (text, expected) => expect(looksLikeJinja(text)).toBe(expected));

it.each([
  ["a", "a\n"],
  ["a\n\n\n", "a\n"],
  ["a\r\nb\r\n", "a\nb\n"],
  ["  a\n", "  a\n"],
  ["", ""],
  ["\n\n", "\n\n"],
])("withFinalNewline makes %j into %j", (content, expected) =>
  expect(withFinalNewline({ path: "/x", content })).toEqual({ path: "/x", content: expected }),
);

it("a file without content, and root's files", () => {
  expect(withFinalNewline({ path: "/x" })).toEqual({ path: "/x" });
  expect(rootFile("/x", "y")).toEqual({ path: "/x", owner: "root:root", permissions: "0640", content: "y" });
  expect(rootFile("/x", "y", "0600").permissions).toBe("0600");
});

describe("exactFile", () => {
  it.each(["plain\n", "two\nlines\n"])("writes %j as text", (content) => {
    expect(exactFile(file, content)).toEqual({ ...file, content });
  });

  it.each([
    "no newline",
    "two at the end\n\n",
    "a\r\nb\n",
    "{{ not for Jinja }}\n",
    "${#array[@]} {#\n",
    "",
    Uint8Array.of(255),
  ])("keeps %j byte for byte", (content) => {
    const { content: text, encoding } = exactFile(file, content);
    const written = Buffer.from(text ?? "", encoding === "base64" ? "base64" : "utf8");
    expect(new Uint8Array(written)).toEqual(new Uint8Array(Buffer.from(content)));
    expect(looksLikeJinja(text ?? "")).toBe(false);
  });
});
