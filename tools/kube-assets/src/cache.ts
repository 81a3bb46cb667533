export { cacheFolder } from "./assets.ts";
export { targets } from "./targets.ts";
