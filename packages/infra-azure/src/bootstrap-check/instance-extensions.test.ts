import { describe, expect, it } from "vitest";
import { hasExtensions, instanceBootstrap, instanceExtensions } from "./instance-extensions.ts";

const view = (name: string, code: string, message = "") => ({ name, statuses: [{ code, message }] });
const instance = (...extensions: readonly object[]) => ({ id: "/vm", properties: { instanceView: { extensions } } });
const check = "CAPZ.Linux.Bootstrapping";
const printed = (words: string) =>
  `Enable failed: failed to execute command: command terminated with exit status=1\n[stdout]\n${words}\n[stderr]\n`;

describe("the extensions of a machine in a scale set", () => {
  it("say nothing of bootstrapping where none of them checks it", () => {
    const seen = instance(view("CustomScript", "ProvisioningState/succeeded"));
    expect(instanceBootstrap(seen)).toBeUndefined();
    expect(hasExtensions(seen)).toBe(true);
    expect(hasExtensions({ id: "/vm" })).toBe(false);
  });

  it.each([
    ["running", view(check, "ProvisioningState/transitioning")],
    ["succeeded", view(check, "ProvisioningState/succeeded")],
    ["failed", view(check, "ProvisioningState/failed/1", printed("capstan-bootstrap-check/v1 failed\nno disk"))],
    ["timedOut", view(check, "ProvisioningState/failed/1", printed("capstan-bootstrap-check/v1 timed-out\nno disk"))],
  ])("say that bootstrapping is %s", (state, extension) => {
    expect(instanceBootstrap(instance(extension))).toMatchObject({ state });
  });

  it("bring the log of one that failed", () => {
    const failing = view(check, "ProvisioningState/failed/1", printed("capstan-bootstrap-check/v1 failed\nno disk"));
    expect(instanceBootstrap(instance(failing))).toMatchObject({ log: expect.stringContaining("no disk") });
  });

  it("have a condition of their own where they are the user's", () => {
    const good = view("Good", "ProvisioningState/succeeded");
    const bad = view("Bad", "ProvisioningState/failed/3");
    expect(instanceExtensions(instance(view(check, "ProvisioningState/failed/1")))).toEqual([]);
    expect(instanceExtensions(instance(good))).toMatchObject([{ type: "VMExtensionsReady", status: "True" }]);
    expect(instanceExtensions(instance(good, bad))).toMatchObject([
      { type: "VMExtensionsReady", status: "False", reason: "Failed", message: "Azure could not install Bad" },
    ]);
  });
});
