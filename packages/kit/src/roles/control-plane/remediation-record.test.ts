import { describe, expect, it } from "vitest";
import { member, start } from "../../../test/control-plane/members.ts";
import { beginBeside, nextRecord, recordIn, recordText, takeRecord } from "./remediation-record.ts";

const at = (seconds: number): string => `2026-01-01T00:00:${String(seconds).padStart(2, "0")}Z`;
const record = (machine: string, seconds: number, retryCount = 0) => ({ machine, timestamp: at(seconds), retryCount });
const first = record("m1", 1, 4);
const second = record("m2", 2);
const both = beginBeside(first, second);
const stored = (text: string) => recordIn({ metadata: { annotations: { key: text } } }, "key");

describe("a remediation that begins while another is held", () => {
  it("is the one that other managers read, and keeps the record of the other", () => {
    expect(JSON.parse(recordText(both))).toEqual({ ...second, held: [first] });
    expect(stored(recordText(both))).toEqual(both);
    expect(recordText(first)).toBe(JSON.stringify(first));
  });

  it("gives the first Machine that is made the record of whom it replaces, and the next one the other", () => {
    const { placed, rest } = takeRecord(both, [member({ name: "m1", leaving: true })], start + 9000);
    expect(placed).toEqual(second);
    // The Machine that was just made is not the one in whose place the other is awaited.
    expect(rest).toEqual({ ...first, timestamp: at(9) });
    expect(takeRecord(rest, [], start)).toEqual({ placed: rest, rest: undefined });
    expect(takeRecord(both, [], start).placed).toEqual(first);
  });

  it("ends by itself, and for the same Machine it is the same", () => {
    expect(nextRecord(both)).toEqual(first);
    expect(nextRecord(first)).toBeUndefined();
    expect(beginBeside(first, record("m1", 3, 5))).toEqual(record("m1", 3, 5));
  });

  it.each(["{", "null", '{"machine":1}', '{"machine":"m1","held":7}'])("is read from %s without a failure", (text) => {
    expect(stored(text)?.held).toBeUndefined();
  });
});
