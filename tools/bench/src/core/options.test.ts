import { expect, it } from "vitest";
import { machinesOf, readOptions } from "./options.ts";

it.each([
  { args: [], shapes: [{ clusters: 1, workers: 100 }] },
  {
    args: ["100", "1000"],
    shapes: [
      { clusters: 1, workers: 100 },
      { clusters: 1, workers: 1000 },
    ],
  },
  { args: ["--clusters", "50"], shapes: [{ clusters: 50, workers: 9 }] },
  {
    args: ["10", "--clusters", "2", "--workers", "3"],
    shapes: [
      { clusters: 1, workers: 10 },
      { clusters: 2, workers: 3 },
    ],
  },
])("$args are $shapes", ({ args, shapes }) => {
  expect(readOptions(args, {}).shapes).toEqual(shapes);
});

it("counts the control-plane Machine of every cluster", () => {
  expect(machinesOf({ clusters: 1000, workers: 9 })).toBe(10_000);
});

it.each([
  { args: ["0"], words: "--workers 0: give a whole number from 1" },
  { args: ["--clusters", "many"], words: "--clusters many: give a whole number from 1" },
  { args: ["--server", "other"], words: "--server other: give embedded or kube" },
  { args: ["--timeout", "5"], words: "--timeout 5: give a duration such as 90s, 3m or 1h" },
  { args: ["--beside"], words: "--beside needs KUBEBUILDER_ASSETS" },
  { args: ["--server", "kube"], words: "--server kube needs KUBEBUILDER_ASSETS" },
])("refuses $args", ({ args, words }) => {
  expect(() => readOptions(args, {})).toThrow(words);
});

it("takes the folders of programs from the environment", () => {
  const { kubeAssets, capiAssets } = readOptions(["--beside"], { KUBEBUILDER_ASSETS: "/kube", CAPI_ASSETS: "/capi" });
  expect({ kubeAssets, capiAssets }).toEqual({ kubeAssets: "/kube", capiAssets: "/capi" });
});
