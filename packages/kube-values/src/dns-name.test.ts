import { describe, expect, it } from "vitest";
import { DnsPattern, isDns1035Label, isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from "./dns-name.ts";

const a = (length: number): string => "a".repeat(length);

describe.each([
  ["", { labelValue: true }],
  ["a", { label: true, label1035: true, subdomain: true, qualifiedName: true, labelValue: true }],
  ["a-b", { label: true, label1035: true, subdomain: true, qualifiedName: true, labelValue: true }],
  ["1a", { label: true, subdomain: true, qualifiedName: true, labelValue: true }],
  ["a.b", { subdomain: true, qualifiedName: true, labelValue: true }],
  ["a..b", { qualifiedName: true, labelValue: true }],
  ["A", { qualifiedName: true, labelValue: true }],
  ["a_b", { qualifiedName: true, labelValue: true }],
  ["-a", {}],
  ["a-", {}],
  ["a.", {}],
  ["a b", {}],
  ["ä", {}],
  ["a\n", {}],
  ["x.io/Name_1", { qualifiedName: true }],
  ["x..io/a", {}],
  ["X.io/a", {}],
  ["/a", {}],
  ["a/", {}],
  ["a/b/c", {}],
  [a(63), { label: true, label1035: true, subdomain: true, qualifiedName: true, labelValue: true }],
  [a(64), { subdomain: true }],
  [a(253), { subdomain: true }],
  [a(254), {}],
  [`${a(253)}/${a(63)}`, { qualifiedName: true }],
  [`${a(254)}/a`, {}],
  [`a/${a(64)}`, {}],
])("%j", (text, is: Readonly<Record<string, boolean>>) => {
  it.each([
    ["label", isDnsLabel],
    ["label1035", isDns1035Label],
    ["subdomain", isDnsSubdomain],
    ["qualifiedName", isQualifiedName],
    ["labelValue", isLabelValue],
  ])("as %s", (form, test) => {
    expect(test(text)).toBe(is[form] ?? false);
  });
});

it.each([
  ["label", "a-b", "a.b"],
  ["subdomain", "a-b.c", "a..b"],
  ["qualifiedName", "x.io/A_b", "x..io/a"],
  ["labelValue", "", "-"],
] as const)("has a pattern for schemas: %s", (form, right, wrong) => {
  const pattern = new RegExp(DnsPattern[form]);
  expect(pattern.test(right)).toBe(true);
  expect(pattern.test(wrong)).toBe(false);
});
