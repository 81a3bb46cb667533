export { compareVersions, groupOf, versionOf } from "./api-version.ts";
export { fromBase64, toBase64 } from "./base64-text.ts";
export {
  DnsPattern,
  isDns1035Label,
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  isQualifiedName,
  maxLabelLength,
  maxSubdomainLength,
} from "./dns-name.ts";
export { countNoun } from "./count-noun.ts";
export { formatSeconds, maxDurationNanos, parseDuration, parseDurationMs, parseDurationSeconds } from "./duration.ts";
export { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizers } from "./finalizers.ts";
export { fnv1a } from "./fnv1a.ts";
export { generatedName, nameAsLabel, randomSuffix, suffixedName } from "./generated-name.ts";
export type { SuffixRandom } from "./generated-name.ts";
export { resolveIntOrPercent, rolloutBounds } from "./int-or-percent.ts";
export { meetsRequirements, parseLabelRequirements } from "./label-requirements.ts";
export type { LabelRequirement } from "./label-requirements.ts";
export { isEmptySelector, isReadableSelector, selects, selectorText } from "./label-selector.ts";
export type { LabelExpression } from "./label-selector.ts";
export { keyFromText, keyOf, keyText } from "./object-key.ts";
export type { ObjectKey } from "./object-key.ts";
export { plainLines, plainText } from "./plain-text.ts";
export { presentFields } from "./present-fields.ts";
export { formatQuantity, millisOf, numberOfQuantity, parseQuantity } from "./quantity.ts";
export type { Quantity, QuantityForm } from "./quantity.ts";
export { networkOf } from "./network.ts";
export { rateLimiter } from "./rate-limit.ts";
export type { RateLimit, Throttle, ThrottleClock } from "./rate-limit.ts";
export { retryAfterMs } from "./retry-after.ts";
export { byText } from "./text-order.ts";
