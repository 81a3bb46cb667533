import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import type { HookContext } from "../../model/types.ts";
import { certificateRequests } from "./certificate-request.ts";
import { podSpecCauses } from "../validation/pod-spec.ts";
import { pods } from "./pod.ts";

/** A quarter of the elements that fit into the body of a request. */
const many = 20_000;
/** In milliseconds of this thread's work, whatever else the machine does. Comparing each mount with all others takes several times as long, one pass a twentieth of it. */
const patience = 3_000;

const listOf = <T>(element: (index: number) => T): readonly T[] =>
  Array.from({ length: many }, (_, index) => element(index));

const timed = <T>(work: () => T): { readonly result: T; readonly ms: number } => {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  return { result, ms: (user + system) / 1000 };
};

const container = { name: "c", image: "i" };

it("checks mounts in one pass", () => {
  const volumeMounts = listOf((index) => ({ name: "v", mountPath: `/data/of/number/${index}` }));
  const spec = { volumes: [{ name: "v", emptyDir: {} }], containers: [{ ...container, volumeMounts }] };
  const { result, ms } = timed(() => podSpecCauses(spec, "spec"));
  expect(result).toEqual([]);
  expect(ms).toBeLessThan(patience);
});

it("looks up the claims of containers in one pass", () => {
  const spec = {
    resourceClaims: listOf((index) => ({ name: `claim-${index}`, resourceClaimName: "devices" })),
    containers: listOf((index) => ({
      name: `c-${index}`,
      image: "i",
      resources: { claims: [{ name: `claim-${index}` }] },
    })),
  };
  const { result, ms } = timed(() => podSpecCauses(spec, "spec"));
  expect(result).toEqual([]);
  expect(ms).toBeLessThan(patience);
});

it("compares tolerations with those before in one pass", () => {
  const pod = (tolerations: readonly object[]): KubeObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [container], tolerations },
  });
  const tolerations = listOf((index) => ({ key: `key-${index}`, operator: "Exists" }));
  const [object, old] = [pod(tolerations.toReversed()), pod(tolerations)];
  const { result, ms } = timed(() => pods({}).strategy?.validateUpdate?.(object, old, {} as HookContext, ""));
  expect(result).toEqual([]);
  expect(ms).toBeLessThan(patience);
});

it("finds usages that stand twice in one pass", () => {
  const usages = listOf((index) => `${"what a key may be used for ".repeat(4)}${index}`);
  const object = { apiVersion: "v1", kind: "X", metadata: { name: "r" }, spec: { usages: [...usages, usages[0]] } };
  const { result, ms } = timed(() => certificateRequests.strategy?.validate?.(object, {} as HookContext) ?? []);
  const twice = result.filter(({ reason }) => reason === "FieldValueDuplicate");
  expect(twice.map(({ field }) => field)).toEqual([`spec.usages[${many}]`]);
  expect(ms).toBeLessThan(patience);
});
