import { createControlplaneKubeadmProvider } from "@capstan/controlplane-kubeadm";
import { expect, it } from "vitest";

it("the README's quick start adds the controllers", () => {
  const added: string[] = [];
  const manager = { add: ({ name }: { readonly name: string }) => void added.push(name) };
  createControlplaneKubeadmProvider().register(manager);
  expect(added).toEqual(["kubeadmcontrolplane"]);
});
