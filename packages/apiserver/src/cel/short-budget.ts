import { Budget } from "@capstan/cel";

/** Work that is done at once: at most some 25 ms, and more than nearly everything takes. */
const shortWork = 50_000;

/** The budget of evaluations that are to be short; with it they throw `PatienceSpent` where they are not. */
export const shortBudget = (): Budget => new Budget(undefined, { patience: shortWork });
