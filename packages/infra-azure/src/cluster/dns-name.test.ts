import { expect, it } from "vitest";
import { dnsLabelOf, dnsNameOf } from "./dns-name.ts";

it("ends in a hash of subscription, group and address", () => {
  const name = dnsNameOf({
    cluster: "Demo",
    subscription: "00000000-0000-0000-0000-000000000000",
    group: "demo",
    address: "pip-demo-apiserver",
    location: "WestEurope",
    suffix: "cloudapp.azure.com",
  });
  expect(name).toBe("demo-6171a3fb.westeurope.cloudapp.azure.com");
  expect(dnsLabelOf(name)).toBe("demo-6171a3fb");
});
