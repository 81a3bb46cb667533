export { fakeClock } from "./clock.ts";
export type { AdvanceOptions, FakeClock } from "./clock.ts";
export { seededRandom } from "./random.ts";
