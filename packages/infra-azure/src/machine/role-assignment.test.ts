import { ownerOf } from "@capstan/kit/engine";
import { expect, it } from "vitest";
import type { AzureApi } from "../cloud/azure-api.ts";
import { roleOf } from "./role-assignment.ts";

it("is looked for under the same name after its machine was moved", async () => {
  const looked: string[] = [];
  const api = { find: async ({ id }: { readonly id: string }) => void looked.push(id) } as unknown as AzureApi;
  const plan = { place: { subscription: "s" }, spec: { identity: "SystemAssigned" } } as never;
  const annotations = { "capstan.dev/owner-id": "first" };
  for (const object of [
    { metadata: { namespace: "n", name: "m", uid: "first" } },
    { metadata: { namespace: "n", name: "m", uid: "second", annotations } },
    { metadata: { namespace: "n", name: "m", uid: "another" } },
  ].map((each) => ({ apiVersion: "v1", kind: "AzureMachine", ...each }))) {
    const identity = { uid: object.metadata.uid, owner: ownerOf(object) };
    await roleOf({ api, call: { signal: new AbortController().signal }, identity, object } as never, plan);
  }
  const [first, moved, another] = looked;
  expect(moved).toBe(first);
  expect(another).not.toBe(first);
});
