/** Where a field of the wire ends, and what it holds. */
interface WireField {
  readonly number: number;
  readonly wireType: number;
  readonly next: number;
}

/** A number of seven bits a byte; it ends with the first byte below 128. */
const varint = (bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } | undefined => {
  let value = 0;
  for (let at = from; at < Math.min(bytes.length, from + 10); at += 1) {
    const byte = bytes[at]!;
    value += (byte & 127) * 2 ** (7 * (at - from));
    if (byte < 128) return { value, next: at + 1 };
  }
  return undefined;
};

const fieldAt = (bytes: Uint8Array, from: number): WireField | undefined => {
  const tag = varint(bytes, from);
  if (tag === undefined) return undefined;
  const [number, wireType] = [Math.floor(tag.value / 8), tag.value % 8];
  const size = wireType === 2 ? varint(bytes, tag.next) : undefined;
  if (wireType === 2) return size && { number, wireType, next: size.next + size.value };
  if (wireType === 0) {
    const content = varint(bytes, tag.next);
    return content && { number, wireType, next: content.next };
  }
  return wireType === 1 || wireType === 5 ? { number, wireType, next: tag.next + (wireType === 1 ? 8 : 4) } : undefined;
};

/**
 * Who sent a report: in those of workers up to v0.12 the fourth field is a state, in those of agents the id of an action. A report
 * without it is a worker's that is PENDING, unless it has a field that only agents' reports have.
 */
export const isAgentReport = (bytes: Uint8Array): boolean => {
  for (let field = fieldAt(bytes, 0); field !== undefined; field = fieldAt(bytes, field.next)) {
    if (field.number === 4) return field.wireType === 2;
    if (field.number > 8) return true;
    if (field.next >= bytes.length) break;
  }
  return false;
};
