import { createMetalProvider } from "@capstan/infra-metal";
import { expect, it } from "vitest";

it("the README's quick start adds the controllers", () => {
  const added: string[] = [];
  const manager = { add: ({ name }: { readonly name: string }) => void added.push(name) };
  createMetalProvider({ metadataUrl: "http://10.0.0.5:7080" }).register(manager);
  expect(added).toEqual(expect.arrayContaining(["tinkerbellcluster", "tinkerbellmachine"]));
});
