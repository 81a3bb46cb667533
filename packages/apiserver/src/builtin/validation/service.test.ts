import { expect, it } from "vitest";
import { serviceCauses } from "./service.ts";

it("a Service has a node port twice only for two protocols", () => {
  const ports = [
    { name: "a", port: 80, protocol: "TCP", nodePort: 30_080 },
    { name: "b", port: 81, protocol: "TCP", nodePort: 30_080 },
    { name: "c", port: 81, protocol: "UDP", nodePort: 30_080 },
  ];
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { type: "NodePort", ports } };
  expect(serviceCauses(service).map(({ reason, field }) => `${reason} ${field}`)).toEqual([
    "FieldValueDuplicate spec.ports[1].nodePort",
  ]);
});

it.each([
  [["IPv4"], "IPv4", []],
  [["IPv6"], "IPv4", ["FieldValueInvalid spec.ipFamilies[0]"]],
  [["IPv6"], "IPv6", []],
  [["IPv4"], "IPv6", ["FieldValueInvalid spec.ipFamilies[0]"]],
] as const)("a Service of %j, where addresses of %s are given out: %j", (ipFamilies, family, expected) => {
  const spec = { type: "ClusterIP", ipFamilyPolicy: "SingleStack", ipFamilies, ports: [{ port: 80, protocol: "TCP" }] };
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec };
  expect(serviceCauses(service, family).map(({ reason, field }) => `${reason} ${field}`)).toEqual(expected);
});
