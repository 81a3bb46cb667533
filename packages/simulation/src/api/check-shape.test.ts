import { describe, expect, it } from "vitest";
import type { Refusal } from "../http/refusal.ts";
import { checkShape, readText } from "./check-shape.ts";
import { boolean, integer, json, list, object, type Shape, text } from "./shape.ts";

const server = object(
  {
    name: text({ min: 3, max: 5, pattern: /^[a-z]+$/ }),
    size: text({ enum: ["small", "large"] }),
    cpus: { type: "integer", min: 1, max: 4 },
    price: { type: "number", min: 0 },
    public: boolean,
    tags: list(text(), 2),
    labels: { type: "strings" },
    note: text({ nullable: true }),
    settings: json,
    disk: object({ gb: integer }, ["gb"]),
  },
  ["name"],
);

const refusalOf = (check: () => unknown): Refusal | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Refusal;
  }
};

describe("checkShape", () => {
  it.each([
    [{ name: "web" }],
    [{ name: "web", size: "small", cpus: 4, price: 0.5, public: true, tags: ["a", "b"], labels: { any: "text" } }],
    [{ name: "web", note: null, settings: [{ deep: null }], disk: { gb: 1 } }],
    [{ name: "web", settings: null }],
  ])("lets %j pass", (value) => {
    expect(refusalOf(() => checkShape(value, server))).toBeUndefined();
  });

  it.each([
    [{ name: "web", colour: "red" }, "colour", "is not a field of this request"],
    [{ name: "web", constructor: "x" }, "constructor", "is not a field of this request"],
    [{ name: "web", disk: { gb: 1, mb: 2 } }, "disk.mb", "is not a field of this request"],
    [{ name: 3 }, "name", "must be a string"],
    [{ name: "web", cpus: 1.5 }, "cpus", "must be an integer"],
    [{ name: "web", cpus: "2" }, "cpus", "must be an integer"],
    [{ name: "web", price: "2" }, "price", "must be a number"],
    [{ name: "web", public: 1 }, "public", "must be a boolean"],
    [{ name: "web", tags: "a" }, "tags", "must be an array"],
    [{ name: "web", tags: ["a", 1] }, "tags.1", "must be a string"],
    [{ name: "web", labels: { any: 1 } }, "labels.any", "must be a string"],
    [{ name: null }, "name", "must not be null"],
    [[], "", "must be an object"],
  ])("calls %j a violation at %j", (value, field, message) => {
    expect(refusalOf(() => checkShape(value, server))).toMatchObject({ violation: true, status: 400, field, message });
  });

  it.each([
    [{}, "name", "name is required."],
    [{ name: "web", disk: {} }, "disk.gb", "gb is required."],
    [{ name: "ab" }, "name", "Length must be 3-5 characters"],
    [{ name: "abcdef" }, "name", "Length must be 3-5 characters"],
    [{ name: "ABC" }, "name", "Must only use valid characters"],
    [{ name: "web", size: "huge" }, "size", "Must be one of small, large"],
    [{ name: "web", cpus: 5 }, "cpus", "Must be 1-4"],
    [{ name: "web", price: -1 }, "price", "Must be at least 0"],
    [{ name: "web", tags: ["a", "b", "c"] }, "tags", "Must have at most 2 entries"],
  ])("refuses %j ordinarily, at %j", (value, field, message) => {
    expect(refusalOf(() => checkShape(value, server))).toMatchObject({ violation: false, status: 400, field, message });
  });
});

describe("formats", () => {
  it.each([
    ["digits", "0123", "12a", "digits only"],
    ["email", "me@example.org", "example.org", "a valid email address"],
    ["url", "https://example.org/x", "example", "a valid URL"],
    ["ip", "2001:db8::1", "192.0.2.256", "a valid IP address"],
    ["ipv4", "192.0.2.1", "2001:db8::1", "a valid IPv4 address"],
    ["ipv6", "2001:db8::1", "192.0.2.1", "a valid IPv6 address"],
    ["network", "192.0.2.0/24", "192.0.2.0/33", "a valid IP address with a prefix length"],
    ["network", "2001:db8::/64", "2001:db8::", "a valid IP address with a prefix length"],
  ] as const)("%s takes %s and refuses %s", (format, right, wrong, wanted) => {
    const shape = object({ value: text({ format }) });
    expect(refusalOf(() => checkShape({ value: right }, shape))).toBeUndefined();
    const refusal = refusalOf(() => checkShape({ value: wrong }, shape));
    expect(refusal).toMatchObject({ violation: false, field: "value", message: `Must be ${wanted}` });
  });
});

describe("limits of lists and numbers", () => {
  const shape = object({ few: { ...list(text()), min: 1 }, length: { type: "integer", enum: [56, 64] } });
  it.each([
    [{ few: [] }, "few", "Must have at least 1 entries"],
    [{ length: 60 }, "length", "Must be one of 56, 64"],
  ])("refuse %j", (value, field, message) => {
    expect(refusalOf(() => checkShape(value, shape))).toMatchObject({ violation: false, field, message });
  });

  it("let the others pass", () => {
    expect(refusalOf(() => checkShape({ few: ["a"], length: 56 }, shape))).toBeUndefined();
  });
});

describe("readText", () => {
  const cases: readonly (readonly [value: string, shape: Shape, read: unknown])[] = [
    ["12", integer, 12],
    ["-1", integer, -1],
    ["0.5", { type: "number" }, 0.5],
    ["true", boolean, true],
    ["false", boolean, false],
    ["12", text(), "12"],
  ];
  it.each(cases)("reads %j by its shape", (value, shape, read) => {
    expect(readText(value, shape, "name")).toBe(read);
  });

  it.each([
    ["one", integer],
    ["", integer],
    ["1.5", integer],
    ["yes", boolean],
  ] as const)("calls %j a violation", (value, shape) => {
    expect(refusalOf(() => readText(value, shape, "name"))).toMatchObject({ violation: true, field: "name" });
  });

  it("keeps the limits of the shape", () => {
    expect(refusalOf(() => readText("9", { type: "integer", max: 4 }, "name"))).toMatchObject({ violation: false });
  });
});
