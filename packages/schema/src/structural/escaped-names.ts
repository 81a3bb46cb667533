const backslash = 0x5c;
const [space, newline, tab, carriageReturn] = [0x20, 0x0a, 0x09, 0x0d];
const [comma, colon] = [0x2c, 0x3a];

/** Where the text that has its first escape at `escape`, or none before its end, ends: behind its closing quote. */
const endOfText = (json: string, escape: number): number => {
  for (let end = json.indexOf('"', escape); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (end - 1 - escapes >= escape && json.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
};

const isSpace = (code: number): boolean =>
  code === space || code === newline || code === tab || code === carriageReturn;

/** True for the characters that may stand between two values or names of valid JSON. */
const isBetween = (code: number): boolean => isSpace(code) || code === comma || code === colon;

/** Returns whether a name in valid JSON is written with an escape. */
export const hasEscapedName = (json: string): boolean => {
  for (let at = json.indexOf("\\"); at !== -1; at = json.indexOf("\\", at)) {
    at = endOfText(json, at);
    while (isSpace(json.charCodeAt(at))) at++;
    if (json.charCodeAt(at) === colon) return true;
  }
  return false;
};

/** Returns whether a name in the value has a backslash, on any level. */
export const hasBackslashedName = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasBackslashedName);
  const members = value as Readonly<Record<string, unknown>>;
  return Object.keys(members).some((name) => name.includes("\\") || hasBackslashedName(members[name]));
};

/** Parses valid JSON name by name. `literal`: the value of a number, `true`, `false` or `null`. */
export const parseNameByName = (json: string, literal: (source: string) => unknown): unknown => {
  let at = 0;
  /** The next character that is part of a value: what separates them is known to be in its place. */
  const next = (): string => {
    while (isBetween(json.charCodeAt(at))) at++;
    return json.charAt(at);
  };
  const cut = (end: number): string => json.slice(at, (at = end));
  const text = (): string => JSON.parse(cut(endOfText(json, at + 1))) as string;
  const value = (): unknown => {
    const first = next();
    if (first === '"') return text();
    if (first === "{") {
      const members: [string, unknown][] = [];
      for (at++; next() !== "}";) members.push([text(), value()]);
      at++;
      return Object.fromEntries(members);
    }
    if (first === "[") {
      const items: unknown[] = [];
      for (at++; next() !== "]";) items.push(value());
      at++;
      return items;
    }
    let end = at;
    while (end < json.length && !isSpace(json.charCodeAt(end)) && !",]}".includes(json.charAt(end))) end++;
    return literal(cut(end));
  };
  return value();
};
