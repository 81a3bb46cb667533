export { cacheFolder } from "./assets.ts";
export { type Target, targets } from "./targets.ts";
