export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object: no list, no scalar, not null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
