import { expect, it } from "vitest";
import { givenOptions } from "./given-options.ts";

it("are of the services that serve machines", () => {
  expect(
    givenOptions({ instanceIdRoute: true, kernelArgs: ["quiet"], dhcp: "proxy", dhcpPort: 1067 }, "10.0.0.5"),
  ).toEqual({
    services: {
      address: "10.0.0.5",
      instanceIdRoute: true,
      kernelArgs: ["quiet"],
      dhcp: { mode: "proxy", port: 1067 },
    },
  });
  expect(givenOptions({ address: "10.0.0.6", parts: ["http"] }, "10.0.0.5")).toEqual({
    parts: ["http"],
    services: { address: "10.0.0.6" },
  });
  expect(givenOptions({ parts: ["bmc"] }, undefined)).toEqual({ parts: ["bmc"] });
});

it.each([
  [{ instanceIdRoute: true }, "tinkerbell.instanceIdRoute is about serving machines, which needs tinkerbell.address"],
  [{ address: "10.0.0.5", dhcpPort: 67 }, "options of DHCP need tinkerbell.dhcp"],
  [{ address: "10.0.0.5", grpcCertFile: "a" }, "needs both tinkerbell.grpcCertFile and tinkerbell.grpcKeyFile"],
  [{ address: "10.0.0.5", workerPolicy: "mtls" as const }, "needs tinkerbell.grpcClientCaFile"],
  [
    { address: "10.0.0.5", grpcCertFile: "/none", grpcKeyFile: "/none" },
    "tinkerbell.grpcCertFile: /none cannot be read",
  ],
])("refuses %j", (options, message) => {
  expect(() => givenOptions(options, undefined)).toThrow(
    expect.objectContaining({ code: "tink.options_invalid", message: expect.stringContaining(message) }),
  );
});
