import { Taint } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import type { Machine } from "../api.ts";
import type { NodeTaint } from "../object/workload-kinds.ts";

type MachineTaint = NonNullable<Machine["spec"]["taints"]>[number];

const sameTaint = (a: NodeTaint, b: NodeTaint): boolean => a.key === b.key && a.effect === b.effect;

/** Key and effect name a taint; neither has a colon or a comma in it. */
const idOf = ({ key, effect }: NodeTaint): string => `${key}:${effect}`;

const onNode = ({ key, value, effect }: MachineTaint): NodeTaint => ({
  key,
  effect,
  ...(value === undefined ? {} : { value }),
});

/** The list with a taint in it: in the place of one of the same key and effect, which stays where its value is right. */
const withTaint = (taints: readonly NodeTaint[], wanted: NodeTaint): readonly NodeTaint[] => {
  const index = taints.findIndex((taint) => sameTaint(taint, wanted));
  if (index === -1) return [...taints, wanted];
  return (taints[index]?.value ?? "") === (wanted.value ?? "") ? taints : taints.with(index, wanted);
};

const withoutTaint = (taints: readonly NodeTaint[], unwanted: NodeTaint): readonly NodeTaint[] =>
  taints.some((taint) => sameTaint(taint, unwanted)) ? taints.filter((taint) => !sameTaint(taint, unwanted)) : taints;

export interface SyncedTaints {
  /** The same list when nothing changes. */
  readonly taints: readonly NodeTaint[];
  /**
   * New value of the Node's tracking annotation: the taints that are maintained, and that are removed when the Machine
   * drops them.
   */
  readonly tracked: string;
}

/**
 * The taints of a Node as its Machine wants them. `Always`: there, and gone again once the Machine drops it.
 * `OnInitialization`: put there together with the first tracking annotation, and then left to others. Taints that neither
 * the Machine nor the annotation names are none of its business.
 */
export const syncedTaints = (input: {
  readonly taints: readonly NodeTaint[];
  readonly wanted: readonly MachineTaint[];
  /** The tracking annotation; `undefined`: the Node is new. */
  readonly tracked: string | undefined;
  /** The Machine's set is of an older revision than its deployment; `undefined` when that cannot be told. */
  readonly outdated: boolean | undefined;
}): SyncedTaints => {
  const { wanted, tracked, outdated } = input;
  const always = wanted.filter(({ propagation }) => propagation === "Always").map(onNode);
  const once = wanted.filter(({ propagation }) => propagation === "OnInitialization").map(onNode);
  const ours = new Set((tracked ?? "").split(","));
  const named = new Set([...always, ...once].map(idOf));
  const isDropped = (taint: NodeTaint): boolean => ours.has(idOf(taint)) && !named.has(idOf(taint));
  let taints = input.taints.some(isDropped) ? input.taints.filter((taint) => !isDropped(taint)) : input.taints;
  taints = withoutTaint(taints, Taint.uninitialized);
  for (const taint of tracked === undefined ? [...always, ...once] : always) taints = withTaint(taints, taint);
  if (outdated === true) taints = withTaint(taints, Taint.outdatedRevision);
  if (outdated === false) taints = withoutTaint(taints, Taint.outdatedRevision);
  return { taints, tracked: always.map(idOf).toSorted(byText).join(",") };
};
