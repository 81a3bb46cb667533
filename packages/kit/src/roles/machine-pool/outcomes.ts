import { observations } from "../../engine/observation.ts";
import type { PoolFacts } from "./author.ts";

const outcomes = observations<PoolFacts>();

/** There is no such pool. */
export const absent = outcomes.absent;
/** The pool exists and something has still to happen. */
export const pending = outcomes.pending;
/** The pool is as it should be; with `step`, something about it still has to be put right. */
export const present = outcomes.present;
/** The pool exists and will not become what it should be by itself. */
export const failed = outcomes.failed;
/** The pool is being deleted. */
export const removing = outcomes.removing;
