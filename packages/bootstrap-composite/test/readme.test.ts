import { createBootstrapCompositeProvider } from "@capstan/bootstrap-composite";
import { expect, it } from "vitest";

it("the README's quick start adds the controllers", () => {
  const added: string[] = [];
  const manager = { add: ({ name }: { readonly name: string }) => void added.push(name) };
  createBootstrapCompositeProvider().register(manager);
  expect(added).toEqual(["compositeconfig"]);
});
