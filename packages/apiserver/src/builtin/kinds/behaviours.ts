import type { BuiltinOptions, KindBehaviour } from "../kind-behaviour.ts";

/** Behaviours by `group/plural`. */
export const behaviours = (_options: BuiltinOptions): Readonly<Record<string, KindBehaviour>> => ({});
