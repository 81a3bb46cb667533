import { objectStores } from "@capstan/contract/v1";
import { azureBlobObjectStores } from "@capstan/object-store-azure-blob";
import { connect } from "@capstan/kube";
import { createManager } from "@capstan/runtime";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";

it("the README's quick start plugs the store in", () => {
  const clock = fakeClock();
  const manager = createManager({ connection: connect({ url: "http://127.0.0.1:1", clock }) });
  manager.provide(objectStores, [azureBlobObjectStores({ clock })]);
  expect(manager.service(objectStores)).toHaveLength(1);
});
