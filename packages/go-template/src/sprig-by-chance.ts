export { sprigByChance } from "./sprig/by-chance.ts";
export type { Chance } from "./sprig/by-chance.ts";
