export { defaultedKthreesSpec } from "./admission/kthrees-config.ts";
export { defaultedRke2Spec } from "./admission/rke2-config.ts";
export { authoritiesOf, keyAlgorithm } from "./config/authorities.ts";
