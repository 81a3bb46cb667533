import { silentLogger } from "@capstan/contract";
import { defaultObjectStore, objectStores } from "@capstan/contract/v1";
import { connect } from "@capstan/kube";
import { localObjectStores } from "@capstan/object-store-local";
import { createManager, systemClock } from "@capstan/runtime";
import { expect, it } from "vitest";
import { temporaryFolder } from "./folders.ts";

it("the README's quick start serves the folder and plugs the store in", async () => {
  await using temporary = await temporaryFolder();
  const { path: folder } = temporary;
  const [clock, log] = [systemClock, silentLogger];
  const manager = createManager({ connection: connect({ url: "http://127.0.0.1:1", clock }) });
  const local = localObjectStores({ clock, log, folder, address: "https://store.example" });
  await local.server.start();
  manager.provide(objectStores, [local]);
  manager.provide(defaultObjectStore, { namespace: "kube-system", name: "capstan-object-store" });
  expect(manager.service(objectStores)).toEqual([local]);
  await local.server.stop();
});
