import { expect, it } from "vitest";
import { withFamilies } from "./service-families.ts";

it.each([
  [{}, "IPv4", ["IPv4"], "SingleStack"],
  [{}, "IPv6", ["IPv6"], "SingleStack"],
  [{ ipFamilies: ["IPv4"] }, "IPv6", ["IPv4"], "SingleStack"],
  [{ clusterIP: "None", selector: { a: "b" } }, "IPv6", ["IPv6"], "SingleStack"],
  [{ clusterIP: "None" }, "IPv6", ["IPv6", "IPv4"], "RequireDualStack"],
  [{ clusterIP: "None" }, "IPv4", ["IPv4", "IPv6"], "RequireDualStack"],
] as const)("a Service %j, where addresses of %s are given out, is of %j, %s", (spec, family, ipFamilies, policy) => {
  expect(withFamilies(spec, family)).toMatchObject({ ipFamilies, ipFamilyPolicy: policy });
});
