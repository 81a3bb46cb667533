import type { ReconcileContext } from "@capstan/runtime";
import { expect, it } from "vitest";
import { deliveryAnnotation } from "../../delivery/delivery-record.ts";
import { storeHolds } from "./store-holds.ts";

const heldBy = (stores: readonly string[], credentialsRef?: { readonly name: string; readonly namespace?: string }) => {
  const record = JSON.stringify({ route: "objectStore", sizeBytes: 1, stores });
  const object = {
    apiVersion: "v1",
    kind: "Server",
    metadata: { namespace: "blue", name: "node", annotations: { [deliveryAnnotation]: record } },
  };
  const environment = { findService: () => undefined } as unknown as ReconcileContext;
  const request = credentialsRef && { credentialsRef };
  return storeHolds(() => request).flatMap(({ of }) => of({ environment, infraCluster: undefined, object }) ?? []);
};

it("holds the Secrets of the stores where the data may be, and of those that the cluster names", () => {
  expect(heldBy(["blue/old"], { name: "new", namespace: "shared" })).toEqual([
    { namespace: "blue", name: "old" },
    { namespace: "shared", name: "new" },
  ]);
});

it("holds nothing of another namespace for a record alone, which users may write", () => {
  expect(heldBy(["team/credentials"])).toEqual([]);
});
