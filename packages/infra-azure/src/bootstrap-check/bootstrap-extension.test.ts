import { describe, expect, it } from "vitest";
import { extensionBody } from "../cloud/vm-extension.ts";
import { bootstrapExtension } from "./bootstrap-extension.ts";
import { checkCommand } from "./check-command.ts";

describe("the bootstrap extension", () => {
  it.each([
    ["Linux", "x64", "CAPZ.Linux.Bootstrapping", "1.0"],
    ["Linux", "Arm64", "CAPZ.Linux.Bootstrapping", "1.1"],
    ["Linux", undefined, "CAPZ.Linux.Bootstrapping", "1.0"],
    ["Windows", "x64", "CAPZ.Windows.Bootstrapping", "1.0"],
  ] as const)("each system has an extension of its own: on %s (%s) it is %s %s", (os, architecture, name, version) => {
    expect(bootstrapExtension({ os, architecture, waitMs: 300_000 })).toMatchObject({
      name,
      type: name,
      version,
      publisher: "Microsoft.Azure.ContainerUpstream",
    });
  });

  it("the same for virtual machines and scale sets: it names no machine, so that the model of a scale set can hold it as well", () => {
    const extension = bootstrapExtension({ os: "Linux", architecture: "x64", waitMs: 300_000 });
    const { properties } = extensionBody("westeurope", extension) as { readonly properties: object };
    expect(Object.keys(properties).toSorted()).toEqual([
      "protectedSettings",
      "publisher",
      "type",
      "typeHandlerVersion",
    ]);
    expect(JSON.stringify(properties)).not.toMatch(/subscriptions|virtualMachines/);
  });

  it("the script comes from the controller, in settings that nobody reads again", () => {
    const extension = bootstrapExtension({ os: "Linux", architecture: "x64", waitMs: 300_000 });
    const { properties } = extensionBody("westeurope", extension) as {
      readonly properties: Readonly<Record<string, unknown>>;
    };
    expect(properties["protectedSettings"]).toEqual({ commandToExecute: checkCommand("Linux", 300_000) });
    expect(properties["settings"]).toBeUndefined();
  });
});
