import { createControlplaneRke2K3sProvider } from "@capstan/controlplane-rke2-k3s";
import { expect, it } from "vitest";

it("the README's quick start adds the controllers", () => {
  const added: string[] = [];
  const manager = { add: ({ name }: { readonly name: string }) => void added.push(name) };
  createControlplaneRke2K3sProvider().register(manager);
  expect(added).toEqual(["rke2controlplane", "kthreescontrolplane"]);
});
