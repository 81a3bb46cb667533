import { expect, it } from "vitest";
import { readSyslog } from "./message.ts";

it.each([
  ["<6>ipxe: Downloading", { severity: "info", facility: 0, program: "ipxe", text: "Downloading" }],
  ["<133>ipxe.org starts", { severity: "notice", facility: 16, text: "ipxe.org starts" }],
  [
    "<30>Nov  3 10:00:01 node-1 dockerd[12]: it runs\n",
    { severity: "info", facility: 3, program: "dockerd", text: "it runs" },
  ],
  [
    '<11>1 2026-11-03T10:00:01Z node-1 agent 7 - [x y="z"] \uFEFFfailed',
    { severity: "error", facility: 1, program: "agent", text: "failed" },
  ],
  ["<11>1 - - - - - - text alone", { severity: "error", facility: 1, text: "text alone" }],
  ["<0>a: two\r\nlines\u001b[31m", { severity: "emergency", facility: 0, program: "a", text: "two lines [31m" }],
])("reads %j", (line, expected) => {
  expect(readSyslog(Buffer.from(line))).toEqual(expected);
});

it.each(["", "text", "<192>x", "<6>", "<6>\n", "<x>y"])("takes %j for no line of a log", (line) => {
  expect(readSyslog(Buffer.from(line))).toBeUndefined();
});

it("cuts a line that is too long", () => {
  expect(readSyslog(Buffer.from(`<6>a: ${"x".repeat(10_000)}`))?.text).toHaveLength(2048);
});
