import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { locate } from "./locate.ts";

const groups = ["cluster.x-k8s.io", "bmc.example"];
const forbidden = new CapstanError({
  code: "kube.forbidden",
  reason: "Forbidden",
  message: "may not read it",
  retry: { kind: "never" },
});

/** A server with Machines of two groups, of which one may not read the first; `has`: whether there is one of the second. */
const server = (has: boolean): Client => {
  const request = ({ path }: { readonly path: string }) =>
    Promise.resolve(
      path === "/apis"
        ? { groups: groups.map((name) => ({ name, versions: [{ version: "v1" }] })) }
        : { resources: path === "/api/v1" ? [] : [{ name: "machines", kind: "Machine", namespaced: true }] },
    );
  const find = ({ group }: Resource) =>
    group === groups[0] ? Promise.reject(forbidden) : Promise.resolve(has ? { metadata: { name: "m" } } : undefined);
  return { request, find } as unknown as Client;
};

const sought = { kind: "machine", namespace: "default", name: "m" };
const call = { signal: new AbortController().signal };

it("means the kind that has the object, although another may not be read", async () => {
  expect((await locate(server(true), sought, call)).group).toBe(groups[1]);
});

it("does not say that nothing is there while a kind could not be read", async () => {
  const error: unknown = await locate(server(false), sought, call).catch((reason: unknown) => reason);
  expect(isCapstanError(error, "kube.forbidden")).toBe(true);
});
