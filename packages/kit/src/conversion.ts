export { conversionWebhooks, converterOf, converterTable } from "./conversion/convert.ts";
export type { VersionPair } from "./conversion/convert.ts";
export { each, fields, same } from "./conversion/shape.ts";
export type { ConversionContext, Move, Shape } from "./conversion/shape.ts";
export { tidy } from "./conversion/tidy.ts";
export { durationToSeconds, groupReference, plainBool } from "./conversion/values.ts";
export { deletionMoves, failure, newerCounters, statusMoves, zeroCounters } from "./conversion/status-moves.ts";
