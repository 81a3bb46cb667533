import { createBootstrapKubeadmProvider } from "@capstan/bootstrap-kubeadm";
import { expect, it } from "vitest";

it("the README's quick start adds the controllers", () => {
  const added: string[] = [];
  const manager = { add: ({ name }: { readonly name: string }) => void added.push(name) };
  createBootstrapKubeadmProvider().register(manager);
  expect(added).toEqual(["kubeadmconfig"]);
});
