import type { ManifestObject } from "@capstan/apiserver";
import { CapstanError } from "@capstan/contract";
import { countNoun } from "@capstan/kube-values";
import type { HeldItem } from "../manifest/held-workers.ts";
import { makePlan, textOf, type PlanningOptions } from "./make-plan.ts";

/** The result for manifests with which nothing is wrong. */
export interface Foreseen {
  /** A line for each thing that is certain to fail, but for workers that are held. */
  readonly failures: readonly string[];
  readonly held: readonly HeldItem[];
}

/**
 * Throws `up.not_applied` with everything that is wrong with manifests, before any of them is applied. Resolves to what is certain to fail
 * though nothing is wrong with them, a line each, and to the workers that are held.
 */
export const preflight = async (manifests: readonly ManifestObject[], options: PlanningOptions): Promise<Foreseen> => {
  if (manifests.length === 0) return { failures: [], held: [] };
  const { failures, held, problems } = await makePlan(manifests, { ...options, newOnly: true });
  if (problems.length === 0) {
    const heldTexts = held.map(({ text }) => text);
    return { failures: failures.map(textOf).filter((text) => !heldTexts.includes(text)), held };
  }
  const lines = problems.map(({ where, message }) => `${where}: ${message.replaceAll("\n", "\n  ")}`);
  throw new CapstanError({
    code: "up.not_applied",
    reason: "ManifestsWrong",
    message: [
      `nothing applied: ${countNoun(problems.length, "problem")}; correct them, or apply valid objects with --keep-going`,
      ...new Set(lines),
    ].join("\n  "),
    retry: { kind: "never" },
  });
};
